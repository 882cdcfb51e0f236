import type { Guarantee, VerifiedKind } from '@policy-machinery/guarantees';
import { concernNames } from '@policy-machinery/policy-kind';
import type { ResourceRef } from '@policy-machinery/resource';
import { UsageError } from '../model/usage-error.ts';

/**
 * Returns the guarantee that every request meets a concern, or a policy of a kind with a field in its effective spec.
 *
 * @param every The concern, such as `authentication`; or the kind, with its group if several kinds have the name, and the field: `SecurityPolicy.jwt`, `SecurityPolicy`, or
 * `AuthorizationPolicy.security.istio.io.rules`.
 * @param gateway The Gateway that requests are sent to. Default: any.
 * @throws {UsageError} If `every` is not a concern, and does not have the form of a kind and a field.
 */
export function everyRequestMeets(every: string, kinds: readonly VerifiedKind[], gateway?: ResourceRef): Guarantee {
  const requests = gateway && { gateways: { namespaces: [gateway.namespace ?? ''], names: [gateway.name] } };
  const concern = concernNames.find((name) => name === every);
  if (concern !== undefined) {
    const holds = `concerns${wordOf(concern)} in ["covered", "not-needed"]`;
    return { name: `every ${every}`, holds, ...(requests && { requests }) };
  }
  const withGroup = kinds
    .map(({ kind, group }) => `${kind}.${group}`)
    .find((name) => every === name || every.startsWith(`${name}.`));
  const [kind = '', ...fields] = (withGroup === undefined ? every : every.slice(withGroup.length)).split('.');
  const words = withGroup === undefined ? [kind, ...fields] : fields;
  if (!words.every((word) => /^[A-Za-z_]\w*$/.test(word)) || /^[a-z]/.test(kind)) {
    throw new UsageError(
      `--every takes a kind and a field, such as SecurityPolicy.jwt, or one of ${concernNames.join(', ')}, and not ${JSON.stringify(every)}`,
    );
  }
  const name = JSON.stringify(withGroup);
  const policy = withGroup === undefined ? `policies.${kind}` : `policies[${name}]`;
  const isMet = withGroup === undefined ? `has(${policy})` : `${name} in policies`;
  const isSet = fields.map((_, index) => `has(${[policy, 'spec', ...fields.slice(0, index + 1)].join('.')})`);
  return { name: `every ${every}`, holds: [isMet, ...isSet].join(' && '), ...(requests && { requests }) };
}

/** Returns the selection of a field in CEL: `.waf`, `["rate-limit"]`. */
function wordOf(name: string): string {
  return /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
