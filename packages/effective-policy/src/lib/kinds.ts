import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode, type Topology, targetableKey } from '@policy-machinery/topology';

/** What policies of a kind have an effect on, by locator. */
export function effectiveTargetsIn<Spec>(topology: Topology, kind: PolicyKind<Spec>): ReadonlyMap<string, TargetNode> {
  const keys = new Set(kind.effectiveTargets.map(targetableKey));
  return new Map(
    [...topology.targets].filter((node) => keys.has(targetableKey(node.kind))).map((node) => [node.locator, node]),
  );
}

/** Whether the namespace of an object is a level above it. */
export function namespaceLevelsOf<Spec>({ namespaceLevels }: PolicyKind<Spec>): (object: TargetNode) => boolean {
  return namespaceLevels === undefined ? () => true : isOneOf(namespaceLevels);
}

/** Tells objects of some kinds from others. */
export function isOneOf(kinds: readonly GroupKind[]): (object: TargetNode) => boolean {
  const keys = new Set(kinds.map(groupKindKey));
  return ({ kind }) => !isSectionKind(kind) && keys.has(groupKindKey(kind));
}
