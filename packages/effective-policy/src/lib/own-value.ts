import { fieldWise } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { PlacedLayer } from './layout.ts';
import { type Level, levelOf } from './level.ts';

/**
 * What the effective targets say themselves, each as a level of its own: the most specific default, or an
 * override above all policies, so that
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
      const spec = said(kind.ownValue(target));
      if (spec !== undefined) levels.set(target, ownLevel(target, spec, kind));
    } catch (error) {
      const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}; correct the resource`;
      issues.push({ code: 'unreadable-resource', severity: 'error', message, resource: target.locator, pointer: '' });
    }
  }
  return { levels, issues };
}

/** A value as JSON holds it: without fields that are undefined. One without any field says nothing. */
function said<Spec>(value: Spec | undefined): Spec | undefined {
  if (value === undefined) return undefined;
  const spec = JSON.parse(JSON.stringify(value)) as Spec & object;
  return Object.keys(spec).length > 0 ? spec : undefined;
}

/** Whether a layer is what a target says itself. */
export function isOwnLayer<Spec>({ policy, level }: PlacedLayer<Spec>): boolean {
  return policy.resource === level.target.resource;
}

function ownLevel<Spec>(target: TargetNode, spec: Spec, kind: PolicyKind<Spec>): Level<Spec> {
  const { namespace, name } = target.ref;
  const layers: Layer<Spec>[] = [];
  const policy: Policy<Spec> = {
    locator: target.locator,
    name: namespace === undefined ? name : `${namespace}/${name}`,
    resource: target.resource,
    createdAt: undefined,
    layers,
  };
  const stanza = kind.ownValueStands === 'above' ? 'overrides' : 'defaults';
  layers.push({ policy, stanza, strategy: fieldWise(), spec, pointer: '' });
  return levelOf({ target, via: 'targetRef' }, [policy], kind);
}
