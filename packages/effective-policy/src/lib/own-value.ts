import { atomic } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import { type Level, levelOf } from './stack.ts';

/**
 * What an effective target says itself, as the level beneath all others: a default of the target's own, so that origins
 * and losses name the target as they name policies (M-13).
 *
 * @returns The level, or `undefined` when the target says nothing.
 */
export function ownLevel<Spec>(target: TargetNode, kind: PolicyKind<Spec>): Level<Spec> | undefined {
  const spec = kind.ownValue(target);
  if (spec === undefined) return undefined;
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
  return levelOf(target, [policy], kind.sameLevel);
}
