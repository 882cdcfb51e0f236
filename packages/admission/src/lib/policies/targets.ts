import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { ResourceScope } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import { isSectionKind } from '@policy-machinery/topology';
import { cannotCheck } from './admission-policy.ts';

/** A kind of objects that policies may target. */
export interface TargetObjects {
  /** Its API group, and further spellings in references. */
  readonly groups: readonly [string, ...string[]];
  readonly kind: string;
  /** Its name in URLs. */
  readonly plural: string;
  readonly scope: ResourceScope;
}

/** Returns the kinds of objects that policies of a kind may target, as a whole or by section, without duplicates. */
export function targetObjectsOf({ targets, coreGroupSpellings }: PolicyKind<unknown>): readonly TargetObjects[] {
  const objects = new Set(targets.map((target) => (isSectionKind(target) ? target.of : target)));
  return [...objects].map(({ group, kind, plural = pluralOf(kind), scope }) => {
    const groups: TargetObjects['groups'] = group === '' ? ['', ...coreGroupSpellings] : [group];
    return { groups, kind, plural, scope };
  });
}

/**
 * Returns CEL for the list of the targets that a policy names.
 *
 * @param policy CEL for the policy: `object`.
 * @throws {PolicyMachineryError} `invalid-admission-policy`, for kinds with their own fields for targets.
 */
export function namedTargets(kind: PolicyKind<unknown>, policy: string): string {
  requireTargetFields(kind);
  const spec = `${policy}.spec`;
  return `(has(${spec}.targetRef) ? [${spec}.targetRef] : []) + (has(${spec}.targetRefs) ? ${spec}.targetRefs : [])`;
}

/**
 * Returns the fields where policies of a kind name their targets.
 *
 * @throws {PolicyMachineryError} `invalid-admission-policy`, for kinds with their own fields for targets.
 */
export function requireTargetFields(kind: PolicyKind<unknown>): readonly string[] {
  if (kind.targetFields.length > 0) return kind.targetFields;
  throw cannotCheck(kind, 'its policies do not name their targets in targetRefs; write a policy for its own fields');
}
