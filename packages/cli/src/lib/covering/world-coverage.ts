import { type CoverageRow, coverage } from '@policy-machinery/guarantees/coverage';
import { concerns, concernsOf, unreadConcerns } from '@policy-machinery/known-kinds/concerns';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { formatLocator, type GroupKind, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { World } from '../model/world.ts';

/**
 * Returns how the requests of a world meet each concern.
 *
 * @param world The world.
 */
export function worldCoverage({ topology, views, objects, assumed }: World): readonly CoverageRow[] {
  let known: ReadonlyMap<string, KubernetesObject> | undefined;
  const supposed = new Set(assumed.map(({ object }) => object));
  return coverage({
    topology,
    kinds: views.map(({ found, effective }) => ({ effective, isMerged: found.merging === 'known' })),
    factsOf: concernsOf,
    mayServe,
    find(ref) {
      known ??= new Map(objects.map((object) => [locatorOf(object), object]));
      return known.get(formatLocator(ref));
    },
    isAssumed: ({ resource }) => supposed.has(resource),
  });
}

/** Concerns of connections, which neither policies of unknown kinds nor filters of routes are taken to decide. */
const ofConnections: ReadonlySet<ConcernName> = new Set([
  'client-tls',
  'client-certificate',
  'backend-tls',
  'mesh-mtls',
]);

const security = concerns.filter(({ name, isSecurity }) => isSecurity && !ofConnections.has(name));

function mayServe({ group, kind }: GroupKind): readonly ConcernName[] {
  const unread = unreadConcerns.find((it) => it.group === group && it.kinds.includes(kind));
  return unread?.concerns ?? security.map(({ name }) => name);
}
