import type { ContextLayer, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { SourcePosition } from '@policy-machinery/resource';
import { formatTarget, type Path, type TargetNode } from '@policy-machinery/topology';
import type { World } from '../model/world.ts';
import type { Worlds } from './compare.ts';

/** The end of the way from a policy to a target. */
export interface BrokenLink {
  /** A sentence without a full stop: `Gateway infra/public is gone`. */
  readonly text: string;
  readonly position: SourcePosition | undefined;
}

/**
 * Returns the cause that ended the way from a policy to the target of an effective policy: an object or a section that is gone, a policy that targets
 * something else, or an object that is below another one no more.
 *
 * @param layer The layer of the policy before the change. The policy still exists.
 * @param effective The effective policy before the change.
 * @returns The cause; `undefined` if the policy still reaches the target.
 */
export function brokenLink(
  { level: { target: from }, policy: { locator, name } }: ContextLayer<unknown>,
  effective: EffectivePolicy<unknown>,
  { before: old, after: young }: Pick<Worlds, 'before' | 'after'>,
): BrokenLink | undefined {
  const paths = [...effective.paths()];
  const way = wayFrom(from, paths);
  const isTargeting = isAttached(young, locator, from);
  if (!isTargeting && way.every((node) => isIn(young, node))) {
    return { text: `${name} no longer targets ${formatTarget(from)}`, position: undefined };
  }
  const broken = breakIn(way, old, young);
  if (broken !== undefined) return broken;
  const above = paths.map((path) => breakIn(path, old, young));
  return above.every((it) => it !== undefined) ? above[0] : undefined;
}

/** Returns the first object of a path that is gone, or else that left the one above it. */
function breakIn(way: Path, old: World, young: World): BrokenLink | undefined {
  const missing = way.find((node) => !isIn(young, node));
  if (missing !== undefined) {
    const node = isIn(young, missing.object) ? missing : missing.object;
    return { text: `${formatTarget(node)} is gone`, position: positionOf(missing.object, old) };
  }
  const below = way.find((node, index) => index > 0 && !isBelow(young, node, way[index - 1]));
  const above = below && way[way.indexOf(below) - 1];
  if (below === undefined || above === undefined) return undefined;
  const text = `${formatTarget(below)} is no longer below ${formatTarget(above)}`;
  return { text, position: positionOf(below.object, young) };
}

function wayFrom(from: TargetNode, paths: readonly Path[]): Path {
  for (const path of paths) {
    const start = path.findIndex(({ locator }) => locator === from.locator);
    if (start >= 0) return path.slice(start);
  }
  return [from];
}

function isIn({ topologies }: World, { locator }: TargetNode): boolean {
  return topologies.some((topology) => topology.get(locator) !== undefined);
}

function isAttached({ topologies }: World, policy: string, { locator }: TargetNode): boolean {
  const attachments = topologies.flatMap((topology) => topology.policy(policy)?.attachments ?? []);
  return attachments.some(({ target }) => target?.locator === locator);
}

function isBelow({ topologies }: World, { locator }: TargetNode, above: TargetNode | undefined): boolean {
  return topologies.some((topology) => topology.parents(locator).some((parent) => parent.locator === above?.locator));
}

function positionOf({ locator: resource }: TargetNode, { locate }: World): SourcePosition | undefined {
  return locate({ code: '', message: '', severity: 'warning', resource }).position;
}
