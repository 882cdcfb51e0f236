import { affectedConditions, type Vocabulary } from '@policy-machinery/conditions';
import type { AffectedTarget, EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';

/** Policies, each with the targets from which paths come on which it has its effect. */
export type Affecting = AffectedTarget<unknown>['policies'];

/** The policies of which one condition tells, on an object and on each of its sections. */
export interface AffectedObject {
  /** The type of the condition: `example.com/TimeoutPolicyAffected`. */
  readonly type: string;
  /** On the object as a whole. */
  readonly whole: Affecting;
  /** On each of its sections, by their names. */
  readonly sections: ReadonlyMap<string, Affecting>;
}

/** The effective policies of a kind, and the type of the condition that tells of them. */
export interface ToldKind {
  readonly view: EffectivePolicies<unknown>;
  readonly type: string;
}

/**
 * The policies of several kinds that affect an object and its sections, by type of condition.
 *
 * @param isTold Whether something is to be said of each section by itself. If not, those are left out that no policy is attached
 * to: whoever affects them affects the object.
 */
export function affectedObject(
  object: TargetNode,
  kinds: Iterable<ToldKind>,
  isTold: boolean,
): readonly AffectedObject[] {
  const byType = new Map<string, AffectedObject & { whole: Affecting; readonly sections: Map<string, Affecting> }>();
  for (const { view, type } of kinds) {
    const { kind, topology } = view;
    const sections = object.sections.filter((section) => isTold || topology.policiesAt(section, kind).length > 0);
    for (const target of [object, ...sections]) {
      const { policies } = view.affecting(target);
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

/** The conditions that tell of policies; none where there are none. */
export function conditionsOf(
  type: string,
  policies: Affecting,
  { vocabulary, namePolicies }: { readonly vocabulary: Vocabulary; readonly namePolicies: boolean },
): ReturnType<typeof affectedConditions> {
  const names = policies.map(({ policy }) => policy.name);
  const conditions = affectedConditions(type, names, vocabulary);
  return namePolicies ? conditions : conditions.map((it) => ({ ...it, message: 'Affected by policies of this kind.' }));
}

/** The policies on an object and on its sections, one after the other. */
export function onAnyPart({ whole, sections }: AffectedObject): Affecting {
  return [whole, ...sections.values()].flat();
}
