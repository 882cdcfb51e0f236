import type { ListenerData, OwnerData, ParentData, RouteData, WorldData } from './random-world.fixture.ts';

/*
 * What Gateway API says about a cluster, rule by rule and as its documents put it, without any of the code that is compared with it.
 */

/** The rules of attachment, conflict and precedence; each with the file that decides it, below `gateway-api/src/lib`, and the export to ask. */
export const rules: Readonly<Record<string, readonly [file: string, name: string]>> = {
  'a Gateway takes a ListenerSet': ['attachment/listener-set-admission.ts', 'refusedByGateway'],
  'a ListenerSet that no Gateway takes has no routes': ['attachment/listener-set-admission.ts', 'refusedWithSet'],
  'a parentRef means listeners, by sectionName and port': ['attachment/parent-references.ts', 'parentReferences'],
  'a protocol serves kinds of routes': ['listeners/listener-protocol.ts', 'servesKind'],
  'allowedRoutes allow kinds and namespaces': ['listeners/allowed-routes.ts', 'allowsRoute'],
  'a selector selects a namespace': ['listeners/allowed-namespaces.ts', 'decideByNamespace'],
  'listener and route have a hostname in common': ['fields/hostname.ts', 'intersectHostnames'],
  'HTTPRoutes and GRPCRoutes share hostnames on a listener as the data plane says': [
    'listeners/route-rivals.ts',
    'RouteRivals',
  ],
  'listeners of a Gateway and its ListenerSets are distinct': ['listeners/listener-conflict.ts', 'listenerConflicts'],
  'ListenerSets have an order': ['listeners/listener-family.ts', 'listenerFamily'],
  'a child accepts the route that delegates to it': ['attachment/child-references.ts', 'refusedByChild'],
  'a backend exists and may be referred to': ['attachment/backend-references.ts', 'backendReferences'],
  'one match precedes another': ['request/precedence.ts', 'precedenceRules'],
};

/** A listener with its owner. */
export interface Place {
  readonly owner: OwnerData;
  readonly listener: ListenerData;
}

/** Returns the listeners that accept each route under each of its parents. */
export function acceptedAt(world: WorldData): ReadonlyMap<RouteData, readonly (readonly Place[])[]> {
  const wanted = new Map(
    world.routes.map((route) => [route, route.parents.map((parent) => placesFor(world, route, parent))]),
  );
  const isShared = world.sharedHostnames === 'allowed';
  for (const place of placesIn(world)) {
    const kept: RouteData[] = [];
    for (const route of [...world.routes].sort(byAge)) {
      if (
        !wanted
          .get(route)
          ?.flat()
          .some((it) => isSame(it, place))
      )
        continue;
      if (isShared || !kept.some((other) => excludes(place, other, route))) kept.push(route);
    }
    for (const [route, ofParents] of wanted) {
      if (kept.includes(route)) continue;
      wanted.set(
        route,
        ofParents.map((places) => places.filter((it) => !isSame(it, place))),
      );
    }
  }
  return wanted;
}

/** Returns the routes that a route accepts as its children, without the hostnames that children must not have. */
export function childrenOf({ routes }: WorldData, parent: RouteData): readonly RouteData[] {
  return routes.filter(
    ({ kind, namespace, name, hostnames, parents }) =>
      kind === 'HTTPRoute' &&
      namespace === 'b' &&
      parent.children.includes(name) &&
      hostnames.length === 0 &&
      (parents.length === 0 ||
        parents.some((it) => it.kind === 'HTTPRoute' && it.namespace === parent.namespace && it.name === parent.name)),
  );
}

/** Returns whether a Gateway takes a ListenerSet. Listeners of other ListenerSets take no routes. */
export function isTaken(world: WorldData, set: OwnerData): boolean {
  const gateway = world.owners.find(({ kind, name }) => kind === 'Gateway' && name === set.gateway);
  if (gateway === undefined) return false;
  return gateway.allows === 'All' || (gateway.allows === 'Same' && set.namespace === gateway.namespace);
}

function placesIn({ owners }: WorldData): readonly Place[] {
  return owners.flatMap((owner) => owner.listeners.map((listener) => ({ owner, listener })));
}

function isSame(a: Place, b: Place): boolean {
  return a.owner === b.owner && a.listener === b.listener;
}

function placesFor(world: WorldData, route: RouteData, parent: ParentData): readonly Place[] {
  return placesIn(world).filter(({ owner, listener }) => {
    if (owner.kind !== parent.kind || owner.namespace !== parent.namespace || owner.name !== parent.name) return false;
    if (parent.sectionName !== undefined && parent.sectionName !== listener.name) return false;
    if (parent.port !== undefined && parent.port !== listener.port) return false;
    if (owner.kind === 'ListenerSet' && !isTaken(world, owner)) return false;
    return (
      takesKind(listener, route.kind) &&
      takesNamespace(world, owner, listener, route) &&
      shared(listener, route).length > 0
    );
  });
}

function takesKind({ protocol, kinds }: ListenerData, kind: string): boolean {
  const served = protocol === 'TCP' ? ['TCPRoute'] : ['HTTPRoute', 'GRPCRoute'];
  return served.includes(kind) && (kinds.length === 0 || kinds.includes(kind));
}

function takesNamespace(
  { open }: WorldData,
  owner: OwnerData,
  { from = 'Same' }: ListenerData,
  route: RouteData,
): boolean {
  if (from === 'All') return true;
  if (from === 'Selector') return open.includes(route.namespace);
  return from === 'Same' && owner.namespace === route.namespace;
}

/** Returns the hostnames under which a listener serves a route. */
function shared({ protocol, hostname }: ListenerData, { kind, hostnames }: RouteData): readonly string[] {
  const [ofListener, ofRoute] = [protocol === 'TCP' ? '*' : (hostname ?? '*'), kind === 'TCPRoute' ? [] : hostnames];
  return (ofRoute.length === 0 ? ['*'] : ofRoute).flatMap((it) => intersection(it, ofListener) ?? []);
}

function intersection(a: string, b: string): string | undefined {
  const isBelow = (name: string, wildcard: string) =>
    name === wildcard ||
    wildcard === '*' ||
    (wildcard.startsWith('*.') && name !== '*' && name.replace('*', '').endsWith(wildcard.slice(1)));
  if (isBelow(a, b)) return a;
  return isBelow(b, a) ? b : undefined;
}

/** Returns whether an older route of the other kind keeps a listener from accepting a route (GRPCRoute, `hostnames`). */
function excludes({ listener }: Place, older: RouteData, route: RouteData): boolean {
  if (older.kind === route.kind || [older.kind, route.kind].includes('TCPRoute')) return false;
  return shared(listener, older).some((a) => shared(listener, route).some((b) => intersection(a, b) !== undefined));
}

function byAge(a: RouteData, b: RouteData): number {
  const keyOf = ({ year, namespace, name }: RouteData) => `${year} ${namespace}/${name}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
