import { PolicyMachineryError } from './issue.ts';

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const form = new RegExp(String.raw`^${dnsLabel}(?:\.${dnsLabel})*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$`);

/** The maximal number of characters in a status. */
const maxLength = 253;

/**
 * Refuses controller names that Gateway API's statuses cannot hold: a name must be a domain, a slash and a path.
 *
 * @throws {PolicyMachineryError} `invalid-controller-name`.
 */
export function checkControllerName(name: string): void {
  // Names often come from the environment, where they may be missing in spite of their type.
  if (typeof name === 'string' && name.length <= maxLength && form.test(name)) return;
  const message = `The controllerName ${JSON.stringify(name)} is not a domain with a path of at most 253 characters; write one such as example.com/gateway-controller`;
  throw new PolicyMachineryError('invalid-controller-name', message);
}
