import type { PolicyKind } from '@policy-machinery/policy-kind';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { isOneOf } from '../support/targetables.ts';

/** Returns a function that returns whether the namespace of an object is a level above the object. */
export function namespaceLevelsOf<Spec>(kind: PolicyKind<Spec>): (object: TargetNode) => boolean {
  const { namespaceLevels, policyClass } = kind;
  if (policyClass === 'Direct') return () => false;
  return namespaceLevels === undefined ? () => true : isOneOf(namespaceLevels);
}

/** Returns whether paths to effective targets may begin at a target, since the target is in force without a link to it. */
export function mayBegin({ object: { kind } }: TargetNode): boolean {
  return isSectionKind(kind) || kind.needsParent !== true;
}
