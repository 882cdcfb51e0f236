import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import type { Targetable, TargetNode } from '@policy-machinery/topology';
import { targetableKey } from '@policy-machinery/topology/inner';

/** Returns a test for targets of some kinds. Kinds are compared by group and kind, not by identity. */
export function isOneOfTargetables(kinds: readonly Targetable[]): (target: TargetNode) => boolean {
  return isOneOfKeys(kinds.map(targetableKey));
}

/** Returns a test for objects of some kinds, without their sections. */
export function isOneOf(kinds: readonly GroupKind[]): (target: TargetNode) => boolean {
  return isOneOfKeys(kinds.map(groupKindKey));
}

function isOneOfKeys(kindKeys: readonly string[]): (target: TargetNode) => boolean {
  const keys = new Set(kindKeys);
  const answers = new Map<Targetable, boolean>();
  return ({ kind }) => {
    const knownAnswer = answers.get(kind);
    if (knownAnswer !== undefined) return knownAnswer;
    const answer = keys.has(targetableKey(kind));
    answers.set(kind, answer);
    return answer;
  };
}
