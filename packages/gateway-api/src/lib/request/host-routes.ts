import { groupKindKey, groupKindOf, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { gatewayGroup } from '../group.ts';
import { compareHostnameSpecificity, hostnameMatches, intersectHostnames } from '../hostname.ts';
import type { RequestListener } from './answer.ts';
import { checkGrpcMatch } from './grpc-match.ts';
import { checkHttpMatch } from './http-match.ts';
import type { CheckMatch } from './match.ts';
import { compareAge, compareNames, compareValues } from './precedence.ts';

/** What kinds of routes for requests differ in. */
interface RouteKind {
  readonly check: CheckMatch;
  /** Whether the API server gives a route without rules one for all requests. */
  readonly hasDefaultRule: boolean;
}

const routeKinds = new Map<string, RouteKind>([
  [groupKindKey({ group: gatewayGroup, kind: 'HTTPRoute' }), { check: checkHttpMatch, hasDefaultRule: true }],
  [groupKindKey({ group: gatewayGroup, kind: 'GRPCRoute' }), { check: checkGrpcMatch, hasDefaultRule: false }],
]);

/** A route at a listener, as a host finds it. */
export interface HostRoute {
  readonly route: KubernetesObject;
  readonly kind: RouteKind;
  /** The most specific of its hostnames that take the host; `undefined` where none does. */
  readonly hostname: string | undefined;
}

/** The hostname of a listener, `undefined` where it does not take the host. */
export function hostnameOf({ hostname }: RequestListener, host: string): string | undefined {
  return mostSpecific(intersectHostnames(hostname, undefined), host);
}

/** The routes for requests among those of a listener, by name and then by kind. */
export function hostRoutes({ routes }: RequestListener, host: string): readonly HostRoute[] {
  return routes
    .flatMap((route) => {
      const kind = routeKinds.get(groupKindKey(groupKindOf(route)));
      const hostname = mostSpecific(intersectHostnames(undefined, specOf(route).hostnames), host);
      return kind === undefined ? [] : { route, kind, hostname };
    })
    .sort((a, b) => compareNames(a.route, b.route) || compareValues(a.route.kind, b.route.kind));
}

/**
 * The kind of routes that a listener has accepted for a host: it takes no HTTPRoute and GRPCRoute that have a hostname in
 * common, but only the older one, or the first by name.
 *
 * @param routes The routes, by name.
 */
export function acceptedKind(routes: readonly HostRoute[]): RouteKind | undefined {
  const [oldest] = routes.filter(({ hostname }) => hostname !== undefined).sort((a, b) => compareAge(a.route, b.route));
  return oldest?.kind;
}

function mostSpecific(hostnames: readonly string[], host: string): string | undefined {
  const [first] = hostnames.filter((name) => hostnameMatches(name, host)).sort(compareHostnameSpecificity);
  return first;
}
