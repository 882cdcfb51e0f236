import { PolicyMachineryError } from '@policy-machinery/resource';

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const form = new RegExp(String.raw`^${dnsLabel}(?:\.${dnsLabel})*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$`);

/**
 * Refuses a name of a controller that Gateway API's statuses cannot hold: a domain, a slash and a path.
 *
 * @throws {PolicyMachineryError} `invalid-controller-name`.
 */
export function checkControllerName(name: string): void {
  if (form.test(name)) return;
  const message = `The controllerName ${JSON.stringify(name)} is no domain with a path; write one such as example.com/gateway-controller`;
  throw new PolicyMachineryError('invalid-controller-name', message);
}
