import { Gateway, gatewayListeners, Service } from '@policy-machinery/gateway-api';
import type { UnconsideredKind } from '@policy-machinery/known-kinds/inner';
import { unconsideredKind } from '@policy-machinery/known-kinds/inner';
import { groupKindOf, isJsonObject, type KubernetesObject, objectIn, refOf, specOf } from '@policy-machinery/resource';
import { isOfCluster, pluralOf } from '@policy-machinery/resource/inner';
import { formatRef, formatTarget } from '@policy-machinery/topology';
import { isDefinition } from '../input/world.ts';
import { firstOf } from '../model/first-of.ts';
import type { World } from '../model/world.ts';

/** Objects of a kind that have an effect on requests, and that nothing looks at. */
export interface Unconsidered {
  readonly kind: string;
  readonly effect: UnconsideredKind['effect'];
  /** Their names: `shop/cart`. */
  readonly names: readonly string[];
}

/** Returns the objects of a world that route requests beside Gateway API, or change their handling by a data plane, by kind. */
export function unconsideredIn({ objects, scope }: Pick<World, 'objects' | 'scope'>): readonly Unconsidered[] {
  const byKind = new Map<UnconsideredKind, string[]>();
  for (const object of objects) {
    const kind = unconsideredKind(groupKindOf(object));
    const isMeant = scope.namespace === undefined || scope.namespace === object.metadata.namespace;
    if (kind !== undefined && isMeant) byKind.set(kind, [...(byKind.get(kind) ?? []), nameOf(object)]);
  }
  return [...byKind].map(([{ kind, effect }, names]) => ({ kind, effect, names }));
}

/** Returns the kinds of a cluster that affect requests, and are not read: all of them that are defined. */
function unreadKinds({ objects, source }: World): readonly string[] {
  if (source === undefined) return [];
  const read = new Set(source.kinds.map(({ group, kind }) => `${group} ${kind}`));
  const defined = objects.filter(isDefinition).flatMap((definition) => {
    const { group, names } = specOf(definition);
    const found = unconsideredKind({ group: String(group), kind: String(objectIn(names).kind) });
    return found === undefined || read.has(`${found.group} ${found.kind}`) ? [] : [found.kind];
  });
  return ['Ingress', ...new Set(defined)];
}

/**
 * Returns the assumptions of a guarantee that holds, in clauses: objects that are not considered neither let requests bypass it
 * nor change requests.
 */
export function assumptionsOf(world: World): readonly string[] {
  const found = unconsideredIn(world);
  const services = exposedServices(world);
  const unread = unreadKinds(world);
  const ports = sharedPorts(world);
  const isDated = (it: KubernetesObject) => it.metadata.creationTimestamp !== undefined && !isOfCluster(it);
  const dated = world.objects.filter(isDated).map((it) => formatRef(refOf(it)));
  const named = ({ kind, names }: Unconsidered): string => `${kind} ${firstOf(names, 3)}`;
  return [
    ...found.filter(({ effect }) => effect === 'routes').map((it) => `that no request is routed by ${named(it)}`),
    ...found
      .filter(({ effect }) => effect === 'changes')
      .map((it) => `that ${named(it)} changes nothing that the guarantee is about`),
    ...(services.length === 0 ? [] : [`that no request reaches the Pods of routes by ${firstOf(services, 3)}`]),
    ...(ports.length === 0 ? [] : [`that HTTPS listeners have their certificates at ${firstOf(ports, 3)}`]),
    ...(dated.length === 0 ? [] : [`that creation times in files are right: ${firstOf(dated, 3)}`]),
    ...(unread.length === 0
      ? []
      : [`that no object of these kinds has an effect, which are not read: ${unread.join(', ')}`]),
  ];
}

/** Says which objects are not considered: `2 Ingresses are not considered, and may route requests: shop/cart, shop/track`. */
export function unconsideredText({ kind, effect, names }: Unconsidered): string {
  const what = names.length === 1 ? `${kind} is` : `${pluralNameOf(kind)} are`;
  return `${names.length} ${what} not considered, and may ${effect === 'routes' ? 'route requests' : 'change how requests are treated'}: ${firstOf(names, 3)}`;
}

/** Returns the plural of a kind in its own spelling: `Ingresses`. */
function pluralNameOf(kind: string): string {
  const plural = pluralOf(kind);
  return plural.startsWith(kind.toLowerCase()) ? kind + plural.slice(kind.length) : `${kind.slice(0, -1)}ies`;
}

/** Returns the Services that clients outside can reach, and that select Pods of backends of routes. */
function exposedServices({ topology }: World): readonly string[] {
  const all = [...topology.targetsOf([Service])];
  const backends = all.filter(({ linksFrom, sections }) =>
    [linksFrom, ...sections.map((it) => it.linksFrom)].some(hasRoute),
  );
  return all.flatMap(({ resource, ref }) => {
    const { type } = specOf(resource);
    if (type !== 'LoadBalancer' && type !== 'NodePort') return [];
    const isSame = backends.some(
      (backend) =>
        backend.resource === resource || (backend.ref.namespace === ref.namespace && share(backend.resource, resource)),
    );
    return isSame ? [`${type} ${formatRef(ref)}`] : [];
  });
}

/**
 * Returns the ports with HTTPS listeners for several hostnames: a listener without its certificate may leave its requests to another one. A client that
 * names another host in its request than in the TLS connection is not assumed away: verdicts take the data plane into account.
 */
function sharedPorts({ topology }: World): readonly string[] {
  return [...topology.targetsOf([Gateway])].flatMap((gateway) => {
    const byPort = new Map<number, Set<unknown>>();
    for (const { node, port, hostname } of gatewayListeners(gateway)) {
      if (String(node.section?.value.protocol).toUpperCase() === 'HTTPS')
        byPort.set(port, (byPort.get(port) ?? new Set()).add(hostname));
    }
    const ports = [...byPort].flatMap(([port, hostnames]) => (hostnames.size > 1 ? [port] : []));
    return ports.map((port) => `${formatTarget(gateway)} port ${port}`);
  });
}

function hasRoute(links: readonly { readonly ref: { readonly kind: string } }[]): boolean {
  return links.some(({ ref: { kind } }) => kind.endsWith('Route'));
}

/** Returns whether all Pods that one Service selects are selected by the other. */
function share(one: KubernetesObject, other: KubernetesObject): boolean {
  const [a, b] = [one, other].map((service) => specOf(service).selector);
  if (!isJsonObject(a) || !isJsonObject(b) || Object.keys(a).length === 0 || Object.keys(b).length === 0) return false;
  const isWithin = (some: typeof a, all: typeof a) => Object.entries(some).every(([key, value]) => all[key] === value);
  return isWithin(a, b) || isWithin(b, a);
}

function nameOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
