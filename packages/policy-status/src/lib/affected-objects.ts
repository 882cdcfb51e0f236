import { affectedConditions, affectedConditionType, type Vocabulary } from '@policy-machinery/conditions';
import type { AffectedTarget, EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';

/** The policies of one kind that affect an object, and each of its sections. */
export interface AffectedObject {
  /** The type of the condition that says so: `example.com/TimeoutPolicyAffected`. */
  readonly type: string;
  /** On the object as a whole. */
  readonly whole: AffectedTarget<unknown>['policies'];
  /** On each of its sections, by their names. */
  readonly sections: ReadonlyMap<string, AffectedTarget<unknown>['policies']>;
}

/** Puts together by object what policies of several kinds affect. */
export function affectedObjects(
  views: Iterable<EffectivePolicies<unknown>>,
  domain: string,
): ReadonlyMap<TargetNode, readonly AffectedObject[]> {
  const objects = new Map<TargetNode, AffectedObject[]>();
  for (const { kind, affected } of views) {
    const type = affectedConditionType(domain, kind.kind);
    const byObject = new Map<TargetNode, AffectedTarget<unknown>[]>();
    for (const target of affected) {
      const { object } = target.target;
      byObject.set(object, [...(byObject.get(object) ?? []), target]);
    }
    for (const [object, targets] of byObject) {
      const whole = targets.find(({ target }) => target === object)?.policies ?? [];
      const sections = targets.flatMap(({ target, policies }) =>
        target.section === undefined ? [] : [[target.section.name, policies] as const],
      );
      objects.set(object, [...(objects.get(object) ?? []), { type, whole, sections: new Map(sections) }]);
    }
  }
  return objects;
}

/** The conditions that tell of policies; none where there are none. */
export function conditionsOf(
  type: string,
  policies: AffectedTarget<unknown>['policies'],
  vocabulary: Pick<Vocabulary, 'affectedReason'>,
): ReturnType<typeof affectedConditions> {
  return affectedConditions(
    type,
    policies.map(({ policy }) => policy.name),
    vocabulary,
  );
}

/** All policies on an object and its sections, each once. */
export function onAnyPart({ whole, sections }: AffectedObject): AffectedTarget<unknown>['policies'] {
  const all = new Map([whole, ...sections.values()].flat().map((entry) => [entry.policy, entry]));
  for (const entries of sections.values()) {
    for (const { policy, ancestors } of entries) {
      const there = all.get(policy);
      if (there !== undefined) all.set(policy, { policy, ancestors: new Set([...there.ancestors, ...ancestors]) });
    }
  }
  return [...all.values()];
}
