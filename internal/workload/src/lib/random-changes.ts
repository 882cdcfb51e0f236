import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { ClusterState } from './cluster-state.ts';
import type { ChangingWorld, Edit, Edited } from './edit.ts';
import { edits } from './edits.ts';
import { medleyEdits } from './medley-edits.ts';
import { createWorld, type SeedOptions } from './world.ts';

const allEdits = { ...edits, ...medleyEdits } satisfies Readonly<Record<string, Edit>>;

/** The name of an edit: `remove gateway`. */
export type EditName = keyof typeof allEdits;

/** The edits of any cluster that {@link clusterOf} makes. */
export const commonEdits = Object.keys(edits) as readonly EditName[];

/** These, and those of {@link medley}: they need kinds that other workloads lack. */
export const editNames = Object.keys(allEdits) as readonly EditName[];

/** Which changes are made. */
export interface RandomChangesOptions extends SeedOptions {
  /** The edits to choose from; one that comes twice is made twice as often. Default {@link commonEdits}. */
  readonly edits?: readonly EditName[];
  /** How many edits a change may hold. Default 5; four changes in five hold one. */
  readonly maxEdits?: number;
}

/** A change of a cluster, for `Topology.apply`. */
export interface RandomChange {
  /** What was done, in this order. */
  readonly edits: readonly EditName[];
  readonly upsert: readonly KubernetesObject[];
  /** As they were last. What was added and removed within the change is among them. */
  readonly remove: readonly KubernetesObject[];
}

/** Changes without end, one following from the other. */
export interface RandomChanges extends IterableIterator<RandomChange, never> {
  /** All resources after the last change: what a topology made afresh would start with. A copy, in no certain order. */
  readonly resources: readonly KubernetesObject[];
  /**
   * Takes in what someone else writes, such as a controller the statuses of resources. Leaves out what is not there, and gives
   * back the rest as it is served from now on: with other resource versions.
   */
  readonly write: (resources: Iterable<KubernetesObject>) => readonly KubernetesObject[];
}

/**
 * Makes random changes of a cluster, one by one as they are asked for: policies, routes, Gateways, Services and Namespaces
 * come, go, come back and are edited; one change in five holds several edits. There stay about as many of each kind as in
 * the beginning, and at least about three. Objects once handed out never change. After a while some policies are invalid or
 * target nothing, some backends and parents are missing or not granted, and some listeners refuse their routes.
 *
 * @param resources The cluster in the beginning; what {@link clusterOf} makes, or less.
 * @param options The seed, and which changes.
 * @returns An endless iterator. A change takes O(namespaces), the resources O(resources).
 * @example
 * ```ts
 * const changes = randomChanges(resources, { seed });
 * for (const change of changes) {
 *   topology.apply(change);
 *   const afresh = createTopology(kinds);
 *   afresh.apply({ upsert: changes.resources });
 *   if (isEnough()) break;
 * }
 * ```
 */
export function randomChanges(
  resources: Iterable<KubernetesObject>,
  { edits = commonEdits, maxEdits = 5, ...seed }: RandomChangesOptions = {},
): RandomChanges {
  const world = createChangingWorld(seed, resources);
  return {
    next: () => ({ done: false, value: nextChange(world, edits, maxEdits) }),
    [Symbol.iterator]() {
      return this;
    },
    get resources() {
      return [...world.state.all];
    },
    write(resources) {
      const { server, state } = world;
      const written = [...resources].filter((resource) => state.has(resource)).map(server.serve);
      for (const resource of written) state.upsert(resource);
      return written;
    },
  };
}

function createChangingWorld(options: SeedOptions, resources: Iterable<KubernetesObject>): ChangingWorld {
  const world = createWorld(options, resources);
  const counts = new Map<string, number>();
  for (const { kind } of world.state.all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return { ...world, gone: new ClusterState(), usual: ({ kind }) => Math.max(3, counts.get(kind) ?? 0) };
}

function nextChange(world: ChangingWorld, from: readonly EditName[], maxEdits: number): RandomChange {
  const count = maxEdits > 1 && world.random.chance(0.2) ? 2 + world.random.int(maxEdits - 1) : 1;
  const made: EditName[] = [];
  const results = new Map<string, Edited>();
  while (made.length < count) {
    const name = world.random.pick(from);
    const edited = allEdits[name](world);
    if (edited === undefined) continue;
    made.push(name);
    results.set(locatorOf('upsert' in edited ? edited.upsert : edited.remove), edited);
    carryOut(world, edited);
  }
  const all = [...results.values()];
  return {
    edits: made,
    upsert: all.flatMap((edited) => ('upsert' in edited ? [edited.upsert] : [])),
    remove: all.flatMap((edited) => ('remove' in edited ? [edited.remove] : [])),
  };
}

function carryOut({ state, gone }: ChangingWorld, edited: Edited): void {
  if ('upsert' in edited) {
    state.upsert(edited.upsert);
    gone.remove(edited.upsert);
  } else {
    state.remove(edited.remove);
    gone.upsert(edited.remove);
    const ofKind = gone.list(edited.remove);
    if (ofKind.length > mostGone) gone.remove(ofKind[0] as KubernetesObject);
  }
}

/** How many resources of a kind may come back; it bounds the memory of endless changes. */
const mostGone = 100;
