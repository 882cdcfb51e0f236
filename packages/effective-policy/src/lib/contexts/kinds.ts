import type { PolicyKind } from '@policy-machinery/policy-kind';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { isOneOf } from '../support/targetables.ts';

/** Returns a function that returns whether a container of an object is a level above the object. */
export function containerLevelsOf<Spec>(
  kind: PolicyKind<Spec>,
): (container: TargetNode, object: TargetNode) => boolean {
  const { namespaceLevels, policyClass } = kind;
  if (policyClass === 'Direct') return () => false;
  if (namespaceLevels === undefined) return () => true;
  const isInNamespaceLevel = isOneOf(namespaceLevels);
  return (container, object) => container !== object.namespace || isInNamespaceLevel(object);
}

/** Returns whether paths to effective targets may begin at a target, because the target is in force without a link to it. */
export function mayBegin({ object: { kind } }: TargetNode): boolean {
  return isSectionKind(kind) || kind.needsParent !== true;
}
