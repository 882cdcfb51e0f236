import { Namespace } from '@policy-machinery/gateway-api';
import type { GroupKind, KubernetesObject } from '@policy-machinery/resource';
import type { ClusterState } from './cluster-state.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A world that changes. */
export interface ChangingWorld extends World {
  /** What was removed and has not come back. */
  readonly gone: ClusterState;
  /** How many resources of a kind there were in the beginning, and about how many there shall be. */
  readonly usual: (kind: GroupKind) => number;
}

/** What one edit does to the cluster: one resource is new or changed, or gone. */
export type Edited = { readonly upsert: KubernetesObject } | { readonly remove: KubernetesObject };

/** Says how one thing is edited, without doing it; `undefined` where there is nothing to edit. */
export type Edit = (world: ChangingWorld) => Edited | undefined;

/** Changes a resource of a kind, unless it is left as it is. */
export function change(
  kind: GroupKind,
  changed: (world: ChangingWorld, resource: KubernetesObject) => KubernetesObject | undefined,
): Edit {
  return (world) => {
    const resource = pickOf(world, kind);
    return upserting(resource === undefined ? undefined : changed(world, resource));
  };
}

/** Changes a resource of any kind, unless it is left as it is. */
export function changeOfAny(
  changed: (world: ChangingWorld, resource: KubernetesObject) => KubernetesObject | undefined,
): Edit {
  return (world) => {
    const { random, state } = world;
    return upserting(state.all.length === 0 ? undefined : changed(world, random.pick(state.all)));
  };
}

/** Makes an edit five times less often than others. */
export function rarely(edit: Edit): Edit {
  return (world) => (world.random.chance(0.2) ? edit(world) : undefined);
}

/** Adds a resource of a kind: mostly one that went lately, under its old name, so that what refers to it finds it again. */
export function addition(
  kind: GroupKind,
  added: (world: ChangingWorld, name: string) => KubernetesObject | undefined,
): Edit {
  return (world) => {
    const { random, server, state, gone, usual } = world;
    if (!isTimeToGrow(random, state.list(kind).length, usual(kind))) return undefined;
    const back = gone.list(kind).at(-1);
    if (back === undefined || random.chance(0.1)) {
      return upserting(added(world, `new-${random.int(2 ** 32).toString(36)}`));
    }
    const { metadata, spec } = back;
    return upserting(server.create(kind, metadata, spec === undefined ? {} : { spec }));
  };
}

/** Removes a resource of a kind. */
export function removal(kind: GroupKind): Edit {
  return (world) => {
    const { random, state, usual } = world;
    if (!isTimeToShrink(random, state.list(kind).length, usual(kind))) return undefined;
    return { remove: random.pick(state.list(kind)) };
  };
}

/** Returns whether to add to so many, that there be about as many as usual: the fewer there are the likelier. */
export function isTimeToGrow(random: Random, count: number, usual: number): boolean {
  return random.chance(usual / (usual + count));
}

/** Returns whether to take one of so many away: the more there are the likelier; never from none. */
export function isTimeToShrink(random: Random, count: number, usual: number): boolean {
  return random.chance(count / (usual + count));
}

/** Returns a namespace that has an object, or `default`. */
export function someNamespace({ random, state }: World): string {
  const namespaces = state.list(Namespace);
  return namespaces.length === 0 ? 'default' : random.pick(namespaces).metadata.name;
}

/** Serves a resource of any kind once more, as it is. */
export function repetition({ random, state }: ChangingWorld): Edited | undefined {
  return state.all.length === 0 ? undefined : { upsert: structuredClone(random.pick(state.all)) };
}

function pickOf({ random, state }: ChangingWorld, kind: GroupKind): KubernetesObject | undefined {
  const resources = state.list(kind);
  return resources.length === 0 ? undefined : random.pick(resources);
}

function upserting(resource: KubernetesObject | undefined): Edited | undefined {
  return resource === undefined ? undefined : { upsert: resource };
}
