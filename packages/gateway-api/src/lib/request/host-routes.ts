import { type GroupKind, groupKindKey, groupKindOf, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { compareNames, compareValues } from '../fields/compare-objects.ts';
import { gatewayGroup } from '../fields/group.ts';
import { anyHostname, compareHostnameSpecificity, hostnameMatches, intersectHostnames } from '../fields/hostname.ts';
import { type ListenerUncertainty, unknownDataPlane } from '../listeners/data-plane.ts';
import { countedHostnames, hostnamesOfRoute, type Transport } from '../listeners/listener-protocol.ts';
import { RouteRivals } from '../listeners/route-rivals.ts';
import { checkGrpcMatch } from '../matching/grpc-match.ts';
import { checkHttpMatch } from '../matching/http-match.ts';
import { type CheckMatch, unspecific } from '../matching/match.ts';
import type { Precedence, RequestListener } from './answer.ts';
import type { Question } from './question.ts';

/** The differences between kinds of routes. */
export interface RouteKind {
  readonly name: string;
  /** Its place among the kinds at the frontend of a Service. */
  readonly order: number;
  readonly check: CheckMatch;
  readonly transport: Transport;
  /** Whether listeners of some data planes accept only one of the exclusive kinds for a hostname. */
  readonly isExclusive: boolean;
  /** Whether the API server adds a rule for all requests to a route without rules. */
  readonly hasDefaultRule: boolean;
}

/** The kinds of routes with rules without matches. The first rule takes all connections of the route. */
const connection: Omit<RouteKind, 'name' | 'order'> = {
  check: () => ({ checks: [], specificity: unspecific }),
  transport: 'TCP',
  isExclusive: false,
  hasDefaultRule: false,
};
const request = { transport: 'TCP', isExclusive: true } as const;

/** The kinds of routes, in order of precedence at the frontend of a Service. Kinds are compared by identity, so each has its own object. */
const routeKinds = new Map<string, RouteKind>(
  Object.entries<Omit<RouteKind, 'name' | 'order'>>({
    GRPCRoute: { ...request, check: checkGrpcMatch, hasDefaultRule: false },
    HTTPRoute: { ...request, check: checkHttpMatch, hasDefaultRule: true },
    TLSRoute: { ...connection },
    TCPRoute: { ...connection },
    UDPRoute: { ...connection, transport: 'UDP' },
  }).map(([kind, differences], order) => [
    groupKindKey({ group: gatewayGroup, kind }),
    { ...differences, name: kind, order },
  ]),
);

/** Returns the kind of a route; `undefined` if it is none of Gateway API's. */
export function routeKindOf(route: KubernetesObject): RouteKind | undefined {
  return routeKinds.get(groupKindKey(groupKindOf(route)));
}

/** A route at a listener, as a request finds it. */
export interface HostRoute {
  readonly route: KubernetesObject;
  readonly kind: RouteKind;
  /** The most specific of its hostnames that take the host; `undefined` where none does. */
  readonly hostname: string | undefined;
}

/** Returns the hostname of a listener; `undefined` if it does not match the host. */
export function hostnameOf({ hostname }: RequestListener, host: string): string | undefined {
  return mostSpecific(intersectHostnames(hostname, undefined), host);
}

/** Returns the routes at a listener with the transport of the request, by name and then by kind. */
export function hostRoutes(
  routes: readonly KubernetesObject[],
  { isFrontend = false }: RequestListener,
  { request: { host, transport }, hostnames }: Pick<Question, 'request' | 'hostnames'>,
): readonly HostRoute[] {
  return routes
    .flatMap((route) => {
      const groupKind = groupKindOf(route);
      const kind = routeKinds.get(groupKindKey(groupKind));
      if (kind?.transport !== transport) return [];
      if (isFrontend) return { route, kind, hostname: anyHostname };
      const named = countedHostnames({ groupKind, hostnames: specOf(route).hostnames });
      if (!hostnames.has(named)) hostnames.set(named, mostSpecific(hostnamesIn(groupKind, named), host));
      return { route, kind, hostname: hostnames.get(named) };
    })
    .sort((a, b) => compareNames(a.route, b.route) || compareValues(a.route.kind, b.route.kind));
}

const anyHostnames = [anyHostname];

/** Returns the hostnames of a route from its field. A route that throws while it is read is invalid for every host. */
function hostnamesIn(groupKind: GroupKind, named: unknown): readonly string[] {
  try {
    return hostnamesOfRoute({ groupKind, hostnames: named });
  } catch {
    return anyHostnames;
  }
}

/** Whether a listener serves a route: why not, or the fact that decides and is not known; `undefined` if it does. */
export type Exclusion = KindLoss | { readonly dependsOn: ListenerFact } | undefined;

/** A fact about a listener that decides whether it serves a route. */
export type ListenerFact = 'shared hostname' | ListenerUncertainty;

/**
 * Returns a function that says whether a listener serves a route for a host that both take.
 *
 * A listener of some Gateways keeps only HTTPRoutes or GRPCRoutes for a hostname: {@link RouteRivals}. The frontend of a Service serves only one kind:
 * the first attached kind in the order GRPCRoute, HTTPRoute, TLSRoute, TCPRoute (GEP-1294). A route that one of these delegates to is served: a
 * refused route has none.
 *
 * @param attached The attached routes.
 */
export function exclusionOf(
  attached: readonly KubernetesObject[],
  { hostname, isFrontend = false, dataPlane = unknownDataPlane, dependsOn, rootOf }: RequestListener,
): (route: KubernetesObject) => Exclusion {
  const kindOf = (route: KubernetesObject): string | undefined => routeKindOf(route)?.name;
  if (isFrontend) {
    const present = new Set(attached.map(kindOf));
    const first = [...routeKinds.values()].find(({ name }) => present.has(name))?.name;
    return (route) => (kindOf(route) === first ? undefined : 'route of a more specific kind');
  }
  const open: Exclusion = dependsOn && { dependsOn };
  const rivals = attached.filter((route) => routeKindOf(route)?.isExclusive);
  if (new Set(rivals.map(kindOf)).size < 2) return () => open;
  const contest = new RouteRivals(hostname, dataPlane);
  contest.change([], rivals);
  return (route) => {
    if (contest.refused.has(route)) return 'older route of another kind';
    return open ?? (contest.undecided.has(rootOf?.(route) ?? route) ? { dependsOn: 'shared hostname' } : undefined);
  };
}

/** The reason why a route cannot serve a request although its listener can. */
export type KindLoss = Extract<Precedence, 'older route of another kind' | 'route of a more specific kind'>;

function mostSpecific(hostnames: readonly string[], host: string): string | undefined {
  const [first] = hostnames.filter((name) => hostnameMatches(name, host)).sort(compareHostnameSpecificity);
  return first;
}
