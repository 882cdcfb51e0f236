import { groupKindOf, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { isSectionKind, type Targetable } from '@policy-machinery/topology';
import type { World } from './world.ts';

/** What a policy may target, and how often it does. */
export interface WeightedLevel {
  readonly weight: number;
  readonly level: Targetable;
}

/** The targets of one policy. */
export interface Targets {
  /** Where the policy must be. */
  readonly namespace: string;
  readonly targetRefs: readonly JsonObject[];
}

/**
 * Something to target on one of these levels: one target, or sometimes two of a kind. The first ones of a kind are targeted
 * far oftener than the last.
 *
 * @param namespace Only there. Default anywhere.
 * @returns `undefined` when there is nothing to target on the level that chance has chosen.
 */
export function pickTargets(world: World, levels: readonly WeightedLevel[], namespace?: string): Targets | undefined {
  const { random } = world;
  const { level } = random.pickWeighted(levels);
  const first = pickTarget(world, level, namespace);
  if (first === undefined) return undefined;
  const second = random.chance(0.1) ? pickTarget(world, level, first.namespace) : undefined;
  const refs = second === undefined || second.name === first.name ? [first] : [first, second];
  return { namespace: first.namespace, targetRefs: refs.map(({ ref }) => ref) };
}

/** Returns the reference to a whole resource, as policies of its namespace write it. */
export function targetRefTo(object: KubernetesObject): JsonObject {
  return { ...groupKindOf(object), name: object.metadata.name };
}

interface Target {
  readonly name: string;
  readonly namespace: string;
  readonly ref: JsonObject;
}

function pickTarget({ random, state }: World, level: Targetable, namespace?: string): Target | undefined {
  const kind = isSectionKind(level) ? level.of : level;
  const everywhere = state.list(kind, kind.scope === 'Cluster' ? undefined : namespace);
  const isHere = ({ metadata: { name } }: KubernetesObject): boolean => namespace === undefined || name === namespace;
  const objects = kind.scope === 'Cluster' ? everywhere.filter(isHere) : everywhere;
  if (objects.length === 0) return undefined;
  const object = random.pickSkewed(objects);
  const { name } = object.metadata;
  const target = { name, namespace: object.metadata.namespace ?? name, ref: targetRefTo(object) };
  if (!isSectionKind(level)) return target;
  const names = level.list(object).map((section, index) => section.name || level.nameOf(index, section.value));
  return names.length === 0 ? undefined : { ...target, ref: { ...target.ref, sectionName: random.pick(names) } };
}
