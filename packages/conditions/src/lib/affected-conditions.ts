import { PolicyMachineryError } from '@policy-machinery/resource';
import type { ConditionUpdate } from './condition.ts';
import { keepsTo, typeRule } from './names.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Returns the type of the condition on objects that policies of a kind affect: `<domain>/<Kind>Affected`.
 *
 * @param domain The controller's own domain, or its name, which begins with the domain and a slash.
 * @param kind The kind of the policies.
 * @returns `colors.example.com/ColorPolicyAffected`.
 * @throws {PolicyMachineryError} `invalid-condition-type`, if Kubernetes would refuse it.
 */
export function affectedConditionType(domain: string, kind: string): string {
  return typeInDomain(domain, `${kind}Affected`);
}

/**
 * Returns the type of the condition on an ancestor that does not fit in the status of some policies of a kind.
 *
 * @param domain The controller's own domain, or its name, which begins with the domain and a slash.
 * @param kind The kind of the policies.
 * @returns `colors.example.com/ColorPolicyAncestorLimitReached`.
 * @throws {PolicyMachineryError} `invalid-condition-type`, if Kubernetes would refuse it.
 */
export function ancestorLimitType(domain: string, kind: string): string {
  return typeInDomain(domain, `${kind}AncestorLimitReached`);
}

/**
 * Returns whether a condition type is one of {@link affectedConditionType} or `ancestorLimitType`, for any kind.
 *
 * @param domain The controller's own domain, or its name, which begins with the domain and a slash.
 */
export function isAboutPolicies(domain: string, type: string): boolean {
  return type.startsWith(`${domainOf(domain)}/`) && /(?:Affected|AncestorLimitReached)$/.test(type);
}

function domainOf(name: string): string {
  return name.replace(/\/.*$/s, '');
}

function typeInDomain(domain: string, name: string): string {
  const type = `${domainOf(domain)}/${name}`;
  if (keepsTo(type, typeRule)) return type;
  throw new PolicyMachineryError(
    'invalid-condition-type',
    `"${type}" is not a condition type; pass a lower-case domain and a kind: colors.example.com, ColorPolicy`,
  );
}

/**
 * Returns the condition on an object or section that policies of a kind affect: a single condition for any number of policies.
 *
 * To remove it with the last policy, set the result with its type in `owned`.
 *
 * @param type The type, from {@link affectedConditionType}.
 * @param policies The policies, as `namespace/name`, in any order. The message names them, because a reason cannot.
 * @param vocabulary The dialect, for the reason. Default `PolicyAffected`.
 * @returns One condition, or none without a policy.
 */
export function affectedConditions(
  type: string,
  policies: readonly string[],
  { affectedReason }: Pick<Vocabulary, 'affectedReason'> = { affectedReason: 'PolicyAffected' },
): readonly ConditionUpdate[] {
  if (policies.length === 0) return [];
  return [{ type, status: 'True', reason: affectedReason, message: `Affected by ${listed(policies)}.` }];
}

/**
 * Returns the mark on an object without conditions in its status, as a merge patch of the object.
 *
 * @param type The type, from {@link affectedConditionType}.
 * @param isAffected Whether any policy affects the object. If not, the patch removes the mark.
 * @param markedBy Whether the mark is an annotation or a label. Default: an annotation.
 * @returns The patch: `{ metadata: { annotations: { 'colors.example.com/ColorPolicyAffected': 'true' } } }`.
 */
export function affectedMark(
  type: string,
  isAffected: boolean,
  markedBy: 'annotations' | 'labels' = 'annotations',
): { readonly metadata: { readonly [field: string]: { readonly [type: string]: 'true' | null } } } {
  return { metadata: { [markedBy]: { [type]: isAffected ? 'true' : null } } };
}

/**
 * Returns the signal on an ancestor if its entry does not fit in the status of some policies: do not rely on
 * these policies there.
 *
 * @param type The type of the condition, such as `colors.example.com/ColorPolicyAncestorLimitReached`.
 * @param policies The policies, as `namespace/name`, in any order.
 * @returns One condition, or none without a policy.
 */
export function ancestorLimitReached(type: string, policies: readonly string[]): readonly ConditionUpdate[] {
  if (policies.length === 0) return [];
  const message = `The list of ancestors in the status of these policies is full, so do not rely on them here: ${listed(policies)}.`;
  return [{ type, status: 'True', reason: 'AncestorLimitReached', message }];
}

/** The maximal number of policies in a message. */
const maxNames = 100;

/** Returns names in a stable order, and the number of others. */
function listed(names: readonly string[]): string {
  const all = [...new Set(names)].sort();
  const more = all.length - maxNames;
  const named = more > 0 ? all.slice(0, maxNames) : all;
  return named.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '');
}
