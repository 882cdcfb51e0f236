import type { Guarantee, VerifiedKind } from '@policy-machinery/guarantees';
import { concernNames } from '@policy-machinery/policy-kind';
import type { ResourceRef } from '@policy-machinery/resource';
import { UsageError } from '../model/usage-error.ts';

/**
 * Returns the guarantee that every request meets a policy of a kind, with a field in its effective spec.
 *
 * @param every The kind, with its group if several kinds have the name, and the field: `SecurityPolicy.jwt`, `SecurityPolicy`, or
 * `AuthorizationPolicy.security.istio.io.rules`.
 * @param kinds The kinds of policies.
 * @param gateway The Gateway to which requests are sent. Default: any.
 * @throws {UsageError} If `every` is a concern, or does not have the form of a kind and a field.
 */
export function everyRequestMeets(every: string, kinds: readonly VerifiedKind[], gateway?: ResourceRef): Guarantee {
  if (concernNames.some((name) => name === every)) {
    const coverage = `coverage --fail-on uncovered:${every}`;
    throw new UsageError(
      `${every} is a concern, and --every takes a kind, such as SecurityPolicy.jwt; use "${coverage}"`,
    );
  }
  const withGroup = kinds
    .map(({ kind, group }) => `${kind}.${group}`)
    .find((name) => every === name || every.startsWith(`${name}.`));
  const [kind = '', ...fields] = (withGroup === undefined ? every : every.slice(withGroup.length)).split('.');
  const words = withGroup === undefined ? [kind, ...fields] : fields;
  if (!words.every((word) => /^[A-Za-z_]\w*$/.test(word))) {
    throw new UsageError(
      `--every takes a kind and a field, such as SecurityPolicy.jwt, and not ${JSON.stringify(every)}`,
    );
  }
  const name = JSON.stringify(withGroup);
  const policy = withGroup === undefined ? `policies.${kind}` : `policies[${name}]`;
  const isMet = withGroup === undefined ? `has(${policy})` : `${name} in policies`;
  const isSet = fields.map((_, index) => `has(${[policy, 'spec', ...fields.slice(0, index + 1)].join('.')})`);
  const requests = gateway && { gateways: { namespaces: [gateway.namespace ?? ''], names: [gateway.name] } };
  return { name: `every ${every}`, holds: [isMet, ...isSet].join(' && '), ...(requests && { requests }) };
}
