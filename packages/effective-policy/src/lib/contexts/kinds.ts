import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';

/** Returns a function that returns whether the namespace of an object is a level above the object. */
export function namespaceLevelsOf<Spec>(kind: PolicyKind<Spec>): (object: TargetNode) => boolean {
  const { namespaceLevels, policyClass } = kind;
  if (policyClass === 'Direct') return () => false;
  return namespaceLevels === undefined ? () => true : isOneOf(namespaceLevels);
}

/** Returns a function that returns whether an object is of one of some kinds. */
export function isOneOf(kinds: readonly GroupKind[]): (object: TargetNode) => boolean {
  const keys = new Set(kinds.map(groupKindKey));
  return ({ kind }) => !isSectionKind(kind) && keys.has(groupKindKey(kind));
}

/** Returns whether paths to effective targets may begin at a target, since the target is in force without a link to it. */
export function mayBegin({ object: { kind } }: TargetNode): boolean {
  return isSectionKind(kind) || kind.needsParent !== true;
}
