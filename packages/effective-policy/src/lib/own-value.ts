import { atomic } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { PlacedLayer } from './layout.ts';
import { type Level, levelOf } from './stack.ts';

/**
 * What the effective targets say themselves, each as the level beneath all others: a default of the target's own, so that
 * origins and losses name the target as they name policies (M-13).
 *
 * @returns The levels of the targets that say something, and the targets whose value cannot be read.
 */
export function ownLevelsOf<Spec>(
  targets: Iterable<TargetNode>,
  kind: PolicyKind<Spec>,
): { levels: ReadonlyMap<TargetNode, Level<Spec>>; issues: readonly Issue[] } {
  const levels = new Map<TargetNode, Level<Spec>>();
  const issues: Issue[] = [];
  for (const target of targets) {
    try {
      const spec = kind.ownValue(target);
      if (spec !== undefined) levels.set(target, ownLevel(target, spec, kind));
    } catch (error) {
      const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}; correct the resource`;
      issues.push({ code: 'unreadable-resource', severity: 'error', message, resource: target.locator, pointer: '' });
    }
  }
  return { levels, issues };
}

/** Whether a layer is what a target says itself. */
export function isOwnLayer<Spec>({ layer, level }: PlacedLayer<Spec>): boolean {
  return layer.policy.resource === level.target.resource;
}

function ownLevel<Spec>(target: TargetNode, spec: Spec, { sameLevel }: PolicyKind<Spec>): Level<Spec> {
  const { namespace, name } = target.ref;
  const layers: Layer<Spec>[] = [];
  const policy: Policy<Spec> = {
    locator: target.locator,
    name: namespace === undefined ? name : `${namespace}/${name}`,
    resource: target.resource,
    createdAt: undefined,
    layers,
  };
  layers.push({ policy, stanza: 'defaults', strategy: atomic, spec, pointer: '' });
  return levelOf(target, [policy], sameLevel);
}
