import { createSources, type Transport } from '@policy-machinery/cluster';
import { groupKindKey, groupKindOf, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { fill } from '../fill.ts';
import type { ClusterSource, World } from '../world.ts';
import type { ServedKind } from './served-kind.ts';

/** A world that was read in a cluster. */
export interface FollowedWorld {
  readonly world: World;
  readonly source: ClusterSource;
  readonly transport: Transport;
  readonly signal: AbortSignal;
}

/**
 * Follows the objects of a world. Kinds that come later, and kinds that may be read in one namespace only, are not followed.
 *
 * @param followed The world and the connection.
 * @returns Yields the world after each change that it has taken; first when all kinds are read again. Ends when the signal aborts.
 */
export async function* followCluster({ world, source, transport, signal }: FollowedWorld): AsyncGenerator<World> {
  const kinds = source.kinds.map(({ group, kind, version }) => ({ group, kind, versions: [version] }));
  const scopes = new Map(source.kinds.map((kind) => [groupKindKey(kind), scopeOf(kind)]));
  const nameOf = (object: KubernetesObject) => locatorOf(object, scopes.get(groupKindKey(groupKindOf(object))));
  const above = new Set(source.files.map(nameOf));
  const objects = new Map(world.objects.map((object) => [nameOf(object), object]));
  const sources = createSources(transport, kinds, { signal });
  let isFirst = true;
  for await (const change of sources) {
    const upsert = change.upsert.filter((object) => !above.has(nameOf(object)));
    const gone = change.remove.filter((locator) => !above.has(locator));
    for (const object of upsert) objects.set(nameOf(object), object);
    for (const locator of gone) objects.delete(locator);
    world.topology.apply({ remove: gone });
    fill(world.topology, upsert);
    if (!sources.isSettled) continue;
    if (isFirst) removeWhatIsGone();
    isFirst = false;
    yield { ...world, objects: [...objects.values()] };
  }

  /** Objects may have gone between the first read and the watch. */
  function removeWhatIsGone(): void {
    const isFollowed = (locator: string) => scopes.has(locator.slice(0, locator.indexOf(':')));
    const gone = [...objects.keys()].filter((it) => isFollowed(it) && !above.has(it) && sources.get(it) === undefined);
    for (const locator of gone) objects.delete(locator);
    world.topology.apply({ remove: gone });
  }
}

function scopeOf({ namespaced }: ServedKind): 'Namespaced' | 'Cluster' {
  return namespaced ? 'Namespaced' : 'Cluster';
}
