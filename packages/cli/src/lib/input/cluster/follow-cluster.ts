import { createSources, type Transport } from '@policy-machinery/cluster';
import { groupKindKey, groupKindOf, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { ServedKind } from '../../model/served-kind.ts';
import type { ClusterSource, World } from '../../model/world.ts';
import { fillAll } from '../fill.ts';
import { isDefinition } from '../world.ts';

/** A world that was read from a cluster. */
export interface FollowedWorld {
  readonly world: World;
  readonly source: ClusterSource;
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** Reads the world once more. */
  readonly readAgain: () => Promise<World>;
}

/**
 * Follows the objects of a world. If a definition changes that the answer depends on, such as when a policy kind is installed, the world is read
 * again. Kinds that can be read only in some namespaces are not followed.
 *
 * @param followed The world and the connection.
 * @returns Yields the world after each change that it has taken; first when all kinds are read again. Ends when the signal aborts.
 */
export async function* followCluster(followed: FollowedWorld): AsyncGenerator<World> {
  let current = followed;
  while (!current.signal.aborted) {
    yield* followKinds(current);
    if (current.signal.aborted) return;
    const world = await current.readAgain();
    if (world.source === undefined) return;
    yield world;
    current = { ...current, world, source: world.source };
  }
}

/** The prefix of locators of CustomResourceDefinitions. */
const definitionPrefix = `${groupKindKey({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' })}:`;

/** Follows the objects of the kinds of a world, until other kinds are needed. */
async function* followKinds({ world, source, transport, signal }: FollowedWorld): AsyncGenerator<World> {
  const partial = new Set(source.gaps.map(({ kind }) => groupKindKey(kind)));
  const followed = source.kinds.filter((kind) => !partial.has(groupKindKey(kind)));
  const kinds = followed.map(({ group, kind, version }) => ({ group, kind, versions: [version] }));
  const scopes = new Map(followed.map((kind) => [groupKindKey(kind), scopeOf(kind)]));
  const nameOf = (object: KubernetesObject) => locatorOf(object, scopes.get(groupKindKey(groupKindOf(object))));
  const above = new Set(source.files.map(nameOf));
  const objects = new Map(world.objects.map((object) => [nameOf(object), object]));
  const definitionsNow = () => relevantDefinitions(source, [...objects.values()].filter(isDefinition));
  const definitions = definitionsNow();
  const sources = createSources(transport, kinds, { signal });
  let isFirst = true;
  let areDefinitionsNew = false;
  try {
    for await (const change of sources) {
      const upsert = change.upsert.filter((object) => !above.has(nameOf(object)) && !isKnown(object));
      const gone = change.remove.filter((locator) => !above.has(locator));
      for (const object of upsert) objects.set(nameOf(object), object);
      for (const locator of gone) objects.delete(locator);
      remove(gone);
      fillAll(world.topologies, upsert);
      areDefinitionsNew ||= gone.some((it) => it.startsWith(definitionPrefix)) || upsert.some(isDefinition);
      if (!sources.isSettled) continue;
      if (isFirst) removeWhatIsGone();
      isFirst = false;
      if (areDefinitionsNew && definitionsNow() !== definitions) return;
      areDefinitionsNew = false;
      yield { ...world, objects: [...objects.values()] };
    }
  } finally {
    sources.close();
  }

  /** Returns whether an object is there in the same version: the watch begins with everything that was read before. */
  function isKnown(object: KubernetesObject): boolean {
    const { resourceVersion } = object.metadata;
    return resourceVersion !== undefined && objects.get(nameOf(object))?.metadata.resourceVersion === resourceVersion;
  }

  /** Removes the objects that were deleted between the first read and the watch. */
  function removeWhatIsGone(): void {
    const isFollowed = (locator: string) => scopes.has(locator.slice(0, locator.indexOf(':')));
    const gone = [...objects.keys()].filter((it) => isFollowed(it) && !above.has(it) && sources.get(it) === undefined);
    for (const locator of gone) objects.delete(locator);
    remove(gone);
  }

  function remove(locators: readonly string[]): void {
    for (const topology of world.topologies) topology.apply({ remove: locators });
  }
}

/** Returns a text that changes with the kinds that an answer needs, and with their definitions. */
function relevantDefinitions(source: ClusterSource, definitions: readonly KubernetesObject[]): string {
  const served = source.servedKinds(definitions);
  const names = new Set(served.map(({ resource, group }) => `${resource}.${group}`));
  const relevant = definitions.filter(({ metadata }) => names.has(metadata.name));
  return JSON.stringify([served, relevant.map(({ metadata: { labels }, spec }) => [labels, spec])]);
}

function scopeOf({ namespaced }: ServedKind): 'Namespaced' | 'Cluster' {
  return namespaced ? 'Namespaced' : 'Cluster';
}
