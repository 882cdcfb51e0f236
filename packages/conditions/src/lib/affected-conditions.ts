import { PolicyMachineryError } from '@policy-machinery/resource';
import type { ConditionUpdate } from './condition.ts';
import { keepsTo, typeRule } from './names.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * The type of the condition on what policies of a kind affect: `<domain>/<Kind>Affected` (D-01, X-17).
 *
 * @param domain The controller's own domain (D-02), or its name, of which that is the part before the slash.
 * @param kind The kind of the policies.
 * @returns `colors.example.com/ColorPolicyAffected`.
 * @throws {PolicyMachineryError} `invalid-condition-type`, when Kubernetes would refuse it.
 */
export function affectedConditionType(domain: string, kind: string): string {
  return typeInDomain(domain, `${kind}Affected`);
}

/**
 * The type of the condition on an ancestor that has no place in the status of some policies of a kind (S-10).
 *
 * @param domain The controller's own domain, or its name, of which that is the part before the slash.
 * @param kind The kind of the policies.
 * @returns `colors.example.com/ColorPolicyAncestorLimitReached`.
 * @throws {PolicyMachineryError} `invalid-condition-type`, when Kubernetes would refuse it.
 */
export function ancestorLimitType(domain: string, kind: string): string {
  return typeInDomain(domain, `${kind}AncestorLimitReached`);
}

function typeInDomain(domain: string, name: string): string {
  const type = `${domain.replace(/\/.*$/s, '')}/${name}`;
  if (keepsTo(type, typeRule)) return type;
  throw new PolicyMachineryError(
    'invalid-condition-type',
    `"${type}" is not a condition type; pass a lower-case domain and a kind: colors.example.com, ColorPolicy`,
  );
}

/**
 * The condition on an object, or on a section of it, that policies of a kind affect: one, however many policies (D-07).
 *
 * To remove it when the last policy goes, set this with its type in `owned`.
 *
 * @param type The type, from {@link affectedConditionType}.
 * @param policies The policies, as `namespace/name`, in any order. They are named in the message, since a reason cannot
 * (D-06, X-18).
 * @param vocabulary The dialect, for the reason. Default `PolicyAffected`.
 * @returns One condition; none if there is no policy.
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
 * The mark on an object that has no conditions in its status (D-05), as a merge patch of the object.
 *
 * @param type The type, from {@link affectedConditionType}.
 * @param isAffected Whether any policy affects the object. If not, the patch removes the mark.
 * @param markedBy What bears the mark. Default: an annotation.
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
 * The signal on an ancestor whose entry has no place in the status of some policies, which therefore must not be relied upon
 * there (S-10, N-02).
 *
 * @param type The type of the condition, from {@link ancestorLimitType}.
 * @param policies The policies, as `namespace/name`, in any order.
 * @returns One condition; none if there is no policy.
 */
export function ancestorLimitReached(type: string, policies: readonly string[]): readonly ConditionUpdate[] {
  if (policies.length === 0) return [];
  const message = `The list of ancestors in the status of these policies is full, so do not rely on them here: ${listed(policies)}.`;
  return [{ type, status: 'True', reason: 'AncestorLimitReached', message }];
}

/** How many policies a message names. */
const maxNames = 100;

/** Names in an order that does not depend on who found them first (S-23), and how many more there are. */
function listed(names: readonly string[]): string {
  const all = [...new Set(names)].sort();
  const more = all.length - maxNames;
  const named = more > 0 ? all.slice(0, maxNames) : all;
  return named.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '');
}
