import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';

/** Whether the namespace of an object is a level above it. */
export function namespaceLevelsOf<Spec>({ namespaceLevels }: PolicyKind<Spec>): (object: TargetNode) => boolean {
  return namespaceLevels === undefined ? () => true : isOneOf(namespaceLevels);
}

/** Tells objects of some kinds from others. */
export function isOneOf(kinds: readonly GroupKind[]): (object: TargetNode) => boolean {
  const keys = new Set(kinds.map(groupKindKey));
  return ({ kind }) => !isSectionKind(kind) && keys.has(groupKindKey(kind));
}

/** Whether a target is in force where no link leads to it, so that paths to effective targets may begin at it. */
export function mayBegin({ object: { kind } }: TargetNode): boolean {
  return isSectionKind(kind) || kind.needsParent !== true;
}
