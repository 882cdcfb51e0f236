import { createSources, type SourceChanges, type Transport } from '@policy-machinery/cluster';
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
  const objects = new FollowedObjects(world, source, followed);
  const definitionsNow = () => relevantDefinitions(source, objects.list().filter(isDefinition));
  const definitions = definitionsNow();
  const sources = createSources(transport, kinds, { signal });
  let isFirst = true;
  let areDefinitionsNew = false;
  try {
    for await (const change of sources) {
      areDefinitionsNew = objects.apply(change) || areDefinitionsNew;
      if (!sources.isSettled) continue;
      if (isFirst) objects.removeUnless((locator) => sources.get(locator) !== undefined);
      isFirst = false;
      if (areDefinitionsNew && definitionsNow() !== definitions) return;
      areDefinitionsNew = false;
      yield { ...world, objects: objects.list() };
    }
  } finally {
    sources.close();
  }
}

/** The objects of a world, which follow a cluster. Objects of files prevail, and stay unchanged. */
class FollowedObjects {
  readonly #topologies: World['topologies'];
  readonly #scopes: ReadonlyMap<string, 'Namespaced' | 'Cluster'>;
  readonly #inFiles: ReadonlySet<string>;
  readonly #objects: Map<string, KubernetesObject>;

  constructor({ topologies, objects }: World, { files }: ClusterSource, followed: readonly ServedKind[]) {
    this.#topologies = topologies;
    this.#scopes = new Map(followed.map((kind) => [groupKindKey(kind), scopeOf(kind)]));
    this.#inFiles = new Set(files.map((object) => this.#nameOf(object)));
    this.#objects = new Map(objects.map((object) => [this.#nameOf(object), object]));
  }

  list(): readonly KubernetesObject[] {
    return [...this.#objects.values()];
  }

  /** Applies a change. Returns whether it is about CustomResourceDefinitions. */
  apply({ upsert, remove }: SourceChanges): boolean {
    const updated = upsert.filter((object) => !this.#inFiles.has(this.#nameOf(object)) && !this.#isCurrent(object));
    const removed = remove.filter((locator) => !this.#inFiles.has(locator));
    for (const object of updated) this.#objects.set(this.#nameOf(object), object);
    this.#remove(removed);
    fillAll(this.#topologies, updated);
    return removed.some((locator) => locator.startsWith(definitionPrefix)) || updated.some(isDefinition);
  }

  /** Removes the objects that were deleted between the first read and the watch. */
  removeUnless(exists: (locator: string) => boolean): void {
    const isFollowed = (locator: string) => this.#scopes.has(locator.slice(0, locator.indexOf(':')));
    const locators = [...this.#objects.keys()];
    this.#remove(locators.filter((it) => isFollowed(it) && !this.#inFiles.has(it) && !exists(it)));
  }

  /** Returns whether an object is here in the same version: the watch begins with everything that was read before. */
  #isCurrent(object: KubernetesObject): boolean {
    const { resourceVersion } = object.metadata;
    const followed = this.#objects.get(this.#nameOf(object));
    return resourceVersion !== undefined && followed?.metadata.resourceVersion === resourceVersion;
  }

  #remove(locators: readonly string[]): void {
    for (const locator of locators) this.#objects.delete(locator);
    for (const topology of this.#topologies) topology.apply({ remove: locators });
  }

  #nameOf(object: KubernetesObject): string {
    return locatorOf(object, this.#scopes.get(groupKindKey(groupKindOf(object))));
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
