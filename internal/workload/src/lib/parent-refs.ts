import { Gateway, Namespace } from '@policy-machinery/gateway-api';
import { type JsonObject, type KubernetesObject, stringIn } from '@policy-machinery/resource';
import { admissionTo, listenersOf } from './gateways.ts';
import type { Random } from './random.ts';
import { word } from './words.ts';
import type { World } from './world.ts';

/**
 * Returns the `parentRefs` and `hostnames` of a route: below one to three Gateways that let it in, by section, by port or as a
 * whole. All listeners take its hostnames; where they agree on none, it has none and takes those of its listeners.
 *
 * @param namespace The namespace of the route.
 * @param first The first Gateway, if that is decided already.
 */
export function parentsIn(world: World, namespace: string, first?: KubernetesObject): JsonObject {
  const { random, state } = world;
  const home = state.list(Namespace).find(({ metadata }) => metadata.name === namespace) ?? unlabelled(namespace);
  const gateways = state.list(Gateway);
  const tried = Array.from({ length: gateways.length === 0 ? 0 : 10 }, () => random.pickSkewed(gateways));
  const others = tried.filter((gateway) => admissionTo(gateway)(home));
  const inOrder = first === undefined ? others : [first, ...others];
  const chosen = [...new Set(inOrder)].slice(0, random.pickWeighted(gatewayCounts).count);

  const parents = chosen.flatMap((gateway) => {
    const listeners = listenersOf(gateway);
    const { name, namespace: abroad } = gateway.metadata;
    const to = { name, ...(abroad === undefined || abroad === namespace ? {} : { namespace: abroad }) };
    const parts = listeners.length === 0 ? [{}] : random.pickWeighted(ways).partsOf(random, listeners);
    return parts.map((part) => ({ ref: { ...to, ...part }, listeners: listeners.filter((it) => isMeant(part, it)) }));
  });
  const hostnames = hostnamesFor(
    random,
    parents.flatMap(({ listeners }) => listeners),
  );
  return {
    ...(hostnames.length === 0 ? {} : { hostnames }),
    ...(parents.length === 0 ? {} : { parentRefs: parents.map(({ ref }) => ref) }),
  };
}

const gatewayCounts = [
  { weight: 80, count: 1 },
  { weight: 15, count: 2 },
  { weight: 5, count: 3 },
];

/** The part of a Gateway that a parentRef names. None: the whole. */
interface Part {
  readonly sectionName?: string;
  readonly port?: number;
}

/** The ways to hang below a Gateway that has listeners. */
const ways: readonly {
  readonly weight: number;
  readonly partsOf: (random: Random, listeners: readonly JsonObject[]) => readonly Part[];
}[] = [
  { weight: 23, partsOf: () => [{}] },
  { weight: 62, partsOf: (random, listeners) => [sectionOf(random.pickSkewed(listeners))] },
  { weight: 10, partsOf: (random, listeners) => random.shuffle(listeners).slice(0, 2).map(sectionOf) },
  { weight: 5, partsOf: (random, listeners) => [{ port: Number(random.pick(listeners).port) }] },
];

function sectionOf(listener: JsonObject): Part {
  return { sectionName: String(listener.name) };
}

function isMeant({ sectionName, port }: Part, listener: JsonObject): boolean {
  return (sectionName ?? listener.name) === listener.name && (port ?? listener.port) === listener.port;
}

function hostnamesFor(random: Random, listeners: readonly JsonObject[]): readonly string[] {
  const wildcards = new Set(listeners.map(({ hostname }) => stringIn(hostname) ?? '*.example.com'));
  const [wildcard] = wildcards;
  if (wildcard === undefined || wildcards.size > 1 || random.chance(0.4)) return [];
  return [wildcard.replace('*', word(random))];
}

function unlabelled(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
