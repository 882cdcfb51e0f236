import { Gateway, GRPCRoute, HTTPRoute, intersectHostnames, ListenerSet } from '@policy-machinery/gateway-api';
import {
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import type { FindObject, UndecidedRefusal } from '@policy-machinery/topology';
import { domainOf } from '../tables/data-planes.ts';
import { classOf } from './merged-gateways.ts';
import { gatewayOf, listenersOf } from './shared-ports.ts';

/** A host, port and path of a route at a listener. */
interface Place {
  readonly route: KubernetesObject;
  /** The host, port and path: `shop.example:80/cart`. */
  readonly text: string;
  /** All hostnames of the route at the listener. */
  readonly hostnames: string;
  /** Whether no other listener can take the host, so that all releases compare the place. */
  readonly isAlone: boolean;
}

const controller = 'gateway.nginx.org';
const routeKinds = [HTTPRoute, GRPCRoute];

/**
 * Returns why NGINX Gateway Fabric refuses a policy with all its targets: a route that it does not target has a host, port and path of one that it targets,
 * and nginx would apply the policy to both. Paths are compared as texts, whatever their types.
 *
 * @param find Finds the routes, their Gateways, and the routes beside them.
 */
export function onePolicyForPath(
  _target: KubernetesObject,
  find: FindObject,
  _section: string | undefined,
  policy: KubernetesObject,
): string | UndecidedRefusal | undefined {
  const { targetRef, targetRefs } = specOf(policy);
  const refs = [...objectsIn([targetRef]), ...objectsIn(targetRefs)];
  const targeted = refs.flatMap(({ kind, name }) => find(inNamespaceOf(policy, kind, name), true) ?? []);
  const targetedRoutes = new Set(targeted);
  const overlaps = targeted.flatMap((route) =>
    placesOf(route, find).flatMap(({ place, beside }) =>
      beside.filter((other) => !targetedRoutes.has(other.route)).map((other) => ({ place, other })),
    ),
  );
  const isSure = ({ place, other }: (typeof overlaps)[number]) =>
    [place, other].every((it) => it.isAlone && it.route.kind === place.route.kind) &&
    place.hostnames === other.hostnames &&
    place.route.metadata.namespace === other.route.metadata.namespace;
  const sure = overlaps.find(isSure);
  const [first] = overlaps;
  if (first === undefined) return undefined;
  const because = ({ place: { route, text }, other }: typeof first) =>
    `because ${route.kind} ${nameOf(route)} and ${other.route.kind} ${nameOf(other.route)} share ${text}`;
  const remedy = 'change the matches of one, or target both';
  return sure === undefined
    ? { undecided: `and NGINX Gateway Fabric may refuse the policy, ${because(first)}`, remedy }
    : `and NGINX Gateway Fabric refuses the policy, ${because(sure)}; ${remedy}`;
}

function inNamespaceOf({ metadata: { namespace } }: KubernetesObject, kind: unknown, name: unknown) {
  const of = { group: Gateway.group, kind: String(kind), name: String(name) };
  return namespace === undefined ? of : { ...of, namespace };
}

/** Returns the places of a route, each with the places of other routes at the same Gateway that have its host, port and path. */
function placesOf(route: KubernetesObject, find: FindObject) {
  if (!routeKinds.some(({ kind }) => kind === route.kind)) return [];
  return parentsOf(route).flatMap(({ kind, namespace, name }) => {
    const owner = find({ group: Gateway.group, kind, name, ...(namespace !== undefined && { namespace }) }, true);
    const gateway = owner?.kind === ListenerSet.kind ? gatewayOf(owner, find) : owner;
    if (owner === undefined || gateway === undefined) return [];
    const { controllerName = controller } = specOf(classOf(gateway, find) ?? gateway);
    if (domainOf(String(controllerName)) !== controller) return [];
    const owners = [gateway, ...find.referrers(gateway, ListenerSet)];
    return placesAt(owner, route).map((place) => {
      const beside = owners.flatMap((other) =>
        routeKinds.flatMap((routeKind) => placesByText(other, find.referrers(other, routeKind)).get(place.text) ?? []),
      );
      return { place, beside };
    });
  });
}

/** The places of the routes of Gateways and ListenerSets, by their texts. Lists stay the same until a route changes. */
const places = new WeakMap<object, WeakMap<object, ReadonlyMap<string, readonly Place[]>>>();

function placesByText(
  owner: KubernetesObject,
  routes: readonly KubernetesObject[],
): ReadonlyMap<string, readonly Place[]> {
  const ofOwner = places.get(owner) ?? new WeakMap<object, ReadonlyMap<string, readonly Place[]>>();
  places.set(owner, ofOwner);
  const computed = ofOwner.get(routes);
  if (computed !== undefined) return computed;
  const byText = new Map<string, Place[]>();
  for (const place of routes.flatMap((route) => placesAt(owner, route))) {
    const same = byText.get(place.text);
    if (same === undefined) byText.set(place.text, [place]);
    else same.push(place);
  }
  ofOwner.set(routes, byText);
  return byText;
}

/** Returns the hosts, ports and paths of a route at the listeners of a Gateway or ListenerSet. */
function placesAt(owner: KubernetesObject, route: KubernetesObject): readonly Place[] {
  const listeners = listenersOf(owner);
  const refs = parentsOf(route).filter((it) => it.kind === owner.kind && nameIn(it) === nameOf(owner));
  return refs.flatMap(({ sectionName, port }) => {
    const named = listeners.filter((it) => (sectionName ?? it.name) === it.name && (port ?? it.port) === it.port);
    return named.flatMap((listener) => {
      const hostnames = intersectHostnames(listener.hostname, specOf(route).hostnames);
      const isAlone = named.every((it) => it.port === listener.port) && isOnlyAtPort(listener, listeners);
      return hostnames.flatMap((host) =>
        pathsOf(route).map((path) => ({
          route,
          text: `${host}:${listener.port}${path}`,
          hostnames: hostnames.join(),
          isAlone,
        })),
      );
    });
  });
}

function isOnlyAtPort({ port }: JsonObject, listeners: readonly JsonObject[]): boolean {
  return listeners.filter((it) => it.port === port).length === 1;
}

/** Returns the Gateways and ListenerSets that a route names. */
function parentsOf({ metadata, spec }: KubernetesObject) {
  return objectsIn(objectIn(spec).parentRefs).map(({ kind = Gateway.kind, namespace, name, sectionName, port }) => ({
    kind: String(kind),
    namespace: stringIn(namespace) ?? metadata.namespace,
    name: String(name),
    sectionName,
    port,
  }));
}

/** Returns the paths of the matches of a route, as nginx compares them. */
function pathsOf(route: KubernetesObject): readonly string[] {
  const matches = objectsIn(specOf(route).rules).flatMap(({ matches: of }) => {
    const listed = objectsIn(of);
    return listed.length === 0 ? [{}] : listed;
  });
  return [...new Set(matches.map(({ path, method }) => pathOf(objectIn(path), method)))];
}

function pathOf({ value }: JsonObject, grpcMethod: unknown): string {
  const { service, method } = objectIn(grpcMethod);
  return typeof service === 'string' && typeof method === 'string' ? `/${service}/${method}` : (stringIn(value) ?? '/');
}

function nameOf({ metadata }: KubernetesObject): string {
  return nameIn(metadata);
}

function nameIn({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
