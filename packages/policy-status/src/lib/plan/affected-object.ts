import { affectedConditions, type ConditionUpdate, type Vocabulary } from '@policy-machinery/conditions';
import type { AffectedTarget, EffectivePolicies } from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import type { TargetNode } from '@policy-machinery/topology';

/** Policies, each with the targets where the paths begin that it affects. */
export type Affecting = AffectedTarget<unknown>['policies'];

/** The policies of one kind that affect an object as a whole, or one of its sections. */
export interface AffectedPart {
  /** The type of the condition about them: `example.com/TimeoutPolicyAffected`. */
  readonly type: string;
  /** The name of the section; `undefined` for the object as a whole. */
  readonly section: string | undefined;
  readonly policies: Affecting;
}

/**
 * Returns the policies of a kind that affect an object and its sections; no parts without policies.
 *
 * @param type The type of the condition about the policies.
 * @param isTold Whether each section has its own conditions. If not, sections without attached policies are left out: the policies that
 * affect them affect the object.
 * @param affected Which policies count: those attached to the object or to a section of it, all, or none.
 */
export function affectedParts(
  object: TargetNode,
  view: EffectivePolicies<unknown>,
  type: string,
  isTold: boolean,
  affected: 'targets' | 'all' | 'off',
): readonly AffectedPart[] {
  if (affected === 'off') return [];
  const { kind, topology } = view;
  const isLeftOut = (section: TargetNode): boolean =>
    affected === 'all' && !isTold && topology.policiesAt(section, kind).length === 0;
  return [object, ...object.sections].flatMap((target): readonly AffectedPart[] => {
    if (target.section !== undefined && isLeftOut(target)) return [];
    const { policies: affectingPolicies } =
      affected === 'targets' ? statusQueries(view).affectingFrom(target) : view.affecting(target);
    const policies = ours(affectingPolicies, target, view);
    return policies.length === 0 ? [] : [{ type, section: target.section?.name, policies }];
  });
}

/** Returns the policies that affect a target, if the controller manages it and the targets where the paths begin. */
function ours(policies: Affecting, target: TargetNode, view: EffectivePolicies<unknown>): Affecting {
  if (view.kind.manages === undefined || policies.length === 0) return policies;
  if (!view.manages(target)) return [];
  return policies.flatMap(({ policy, parents }) => {
    const ours = new Set([...parents].filter((parent) => view.manages(parent)));
    return ours.size === 0 && parents.size > 0 ? [] : [{ policy, parents: ours }];
  });
}

/**
 * Returns the conditions about the policies that affect some parts of an object, one of each type.
 *
 * @param policiesOf Returns the policies of a part that the conditions are about.
 */
export function conditionsOn(
  parts: readonly AffectedPart[],
  policiesOf: (part: AffectedPart) => Affecting,
  { vocabulary, namePolicies }: { readonly vocabulary: Vocabulary; readonly namePolicies: boolean },
): readonly ConditionUpdate[] {
  const names = new Map<string, string[]>();
  for (const part of parts) {
    const policyNames = names.get(part.type) ?? [];
    names.set(part.type, policyNames);
    for (const { policy } of policiesOf(part)) policyNames.push(policy.name);
  }
  const conditions = [...names].flatMap(([type, policies]) => affectedConditions(type, policies, vocabulary));
  return namePolicies ? conditions : conditions.map((it) => ({ ...it, message: 'Affected by policies of this kind.' }));
}
