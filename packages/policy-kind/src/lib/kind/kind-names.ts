import { PolicyMachineryError } from '@policy-machinery/resource';

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

/** The rules of Kubernetes for the names of a kind, each with an example. */
const rules = [
  [
    'group',
    new RegExp(String.raw`^$|^${dnsLabel}(?:\.${dnsLabel})*$`),
    'a DNS subdomain without a version, such as policies.example.com',
  ],
  ['version', new RegExp(`^${dnsLabel}$`), 'a version without its group, such as v1'],
  ['kind', /^[a-zA-Z](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?$/, 'letters and digits, such as TimeoutPolicy'],
  ['plural', new RegExp(`^${dnsLabel}$`), 'lower-case letters and digits, such as timeoutpolicies'],
] as const;

/** The names of a kind. */
export type KindNames = Readonly<Record<'group' | 'version' | 'kind' | 'plural', string>>;

/**
 * Returns the faults of the names of a kind. API servers do not accept all names, and {@link definePolicyKind} refuses the others: ask before
 * you declare kinds that users name.
 *
 * @returns The first field with a wrong form, and its expected form, as a sentence; `undefined` if all names are right.
 */
export function kindNameFault(names: KindNames): string | undefined {
  const wrong = rules.find(([field, pattern]) => !pattern.test(names[field]));
  if (wrong === undefined) return undefined;
  const [field, , expected] = wrong;
  return `The ${field} of ${names.kind} is ${JSON.stringify(names[field])}; write ${expected}`;
}

/**
 * Refuses a group, version, kind or plural that no API server accepts.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`, with the field and its expected form.
 */
export function checkKindNames(names: KindNames): void {
  const fault = kindNameFault(names);
  if (fault !== undefined) throw new PolicyMachineryError('invalid-policy-kind', fault);
}
