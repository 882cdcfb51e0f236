import { affectedConditions, type Vocabulary } from '@policy-machinery/conditions';
import type { AffectedTarget, EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';

/** Policies, each with the targets where the paths begin on which it has an effect. */
export type Affecting = AffectedTarget<unknown>['policies'];

/** The policies that one condition describes, on an object and on each of its sections. */
export interface AffectedObject {
  /** The type of the condition: `example.com/TimeoutPolicyAffected`. */
  readonly type: string;
  /** On the object as a whole. */
  readonly whole: Affecting;
  /** On each of its sections, by their names. */
  readonly sections: ReadonlyMap<string, Affecting>;
}

/** The effective policies of a kind, and the type of the condition about them. */
export interface ConditionedKind {
  readonly view: EffectivePolicies<unknown>;
  readonly type: string;
}

/**
 * Returns the policies of several kinds that affect an object and its sections, by condition type.
 *
 * @param isTold Whether each section has conditions of its own. If not, sections without attached policies are left out: what affects them
 * affects the object.
 * @param affected Which policies count: those attached to the object or to a section of it, all, or none.
 */
export function affectedObject(
  object: TargetNode,
  kinds: Iterable<ConditionedKind>,
  isTold: boolean,
  affected: 'targets' | 'all' | 'off',
): readonly AffectedObject[] {
  if (affected === 'off') return [];
  const byType = new Map<string, AffectedObject & { whole: Affecting; readonly sections: Map<string, Affecting> }>();
  for (const { view, type } of kinds) {
    const { kind, topology } = view;
    const isLeftOut = (section: TargetNode): boolean =>
      affected === 'all' && !isTold && topology.policiesAt(section, kind).length === 0;
    for (const target of [object, ...object.sections]) {
      if (target.section !== undefined && isLeftOut(target)) continue;
      const { policies: all } = affected === 'targets' ? view.affectingFrom(target) : view.affecting(target);
      const policies = ours(all, target, view);
      if (policies.length === 0) continue;
      const there = byType.get(type) ?? { type, whole: [], sections: new Map<string, Affecting>() };
      byType.set(type, there);
      if (target.section === undefined) there.whole = [...there.whole, ...policies];
      else {
        const { name } = target.section;
        there.sections.set(name, [...(there.sections.get(name) ?? []), ...policies]);
      }
    }
  }
  return [...byType.values()];
}

/** Returns the policies that affect a target, if the controller manages it and the targets where the paths begin (T-22). */
function ours(policies: Affecting, target: TargetNode, view: EffectivePolicies<unknown>): Affecting {
  if (view.kind.manages === undefined || policies.length === 0) return policies;
  if (!view.manages(target)) return [];
  return policies.flatMap(({ policy, parents }) => {
    const ours = new Set([...parents].filter((parent) => view.manages(parent)));
    return ours.size === 0 && parents.size > 0 ? [] : [{ policy, parents: ours }];
  });
}

/** Returns the conditions about some policies. */
export function conditionsOf(
  type: string,
  policies: Affecting,
  { vocabulary, namePolicies }: { readonly vocabulary: Vocabulary; readonly namePolicies: boolean },
): ReturnType<typeof affectedConditions> {
  const names = policies.map(({ policy }) => policy.name);
  const conditions = affectedConditions(type, names, vocabulary);
  return namePolicies ? conditions : conditions.map((it) => ({ ...it, message: 'Affected by policies of this kind.' }));
}

/** Returns the policies on an object and on its sections. */
export function onAnyPart({ whole, sections }: AffectedObject): Affecting {
  return [whole, ...sections.values()].flat();
}
