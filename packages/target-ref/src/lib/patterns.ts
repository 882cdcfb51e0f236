import type { TargetRef } from './target-ref.ts';

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const dnsSubdomain = String.raw`[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*`;

/** The rule of Gateway API for one field of a reference. */
export interface FieldRule {
  readonly required: boolean;
  readonly maxLength: number;
  readonly pattern: RegExp;
  /** A description of valid values. */
  readonly expected: string;
}

/** Gateway API's patterns, field by field. */
export const fieldRules: Readonly<Record<keyof TargetRef, FieldRule>> = {
  group: {
    required: true,
    maxLength: 253,
    pattern: new RegExp(`^$|^${dnsSubdomain}$`),
    expected: 'a DNS subdomain without a version, or "" for the core group',
  },
  kind: {
    required: true,
    maxLength: 63,
    pattern: /^[a-zA-Z](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?$/,
    expected: 'letters, digits and "-", beginning with a letter',
  },
  name: { required: true, maxLength: 253, pattern: /^[^/#]+$/, expected: 'the name of the target' },
  namespace: { required: false, maxLength: 63, pattern: new RegExp(`^${dnsLabel}$`), expected: 'a DNS label' },
  sectionName: {
    required: false,
    maxLength: 253,
    pattern: new RegExp(`^${dnsSubdomain}$`),
    expected: 'a DNS subdomain',
  },
};
