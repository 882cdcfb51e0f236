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

/**
 * Refuses a group, version, kind or plural that no API server accepts, since no policy could be of that kind.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`, with the field and its expected form.
 */
export function checkKindNames(names: Readonly<Record<'group' | 'version' | 'kind' | 'plural', string>>): void {
  for (const [field, pattern, expected] of rules) {
    if (pattern.test(names[field])) continue;
    const message = `The ${field} of ${names.kind} is ${JSON.stringify(names[field])}; write ${expected}`;
    throw new PolicyMachineryError('invalid-policy-kind', message);
  }
}
