import {
  formatLocator,
  isJsonObject,
  type KubernetesObject,
  locatorOf,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { AssumedGateway } from '../model/world.ts';

const group = 'gateway.networking.k8s.io';

/** The protocol and the port of a listener for routes of a kind. */
const listeners: Readonly<Record<string, readonly [protocol: string, port: number]>> = {
  HTTPRoute: ['HTTP', 80],
  GRPCRoute: ['HTTP', 80],
  TLSRoute: ['TLS', 443],
  TCPRoute: ['TCP', 9000],
  UDPRoute: ['UDP', 9001],
};

/**
 * Returns the Gateways that routes refer to and that nothing declares, if another Gateway exists: files of one team refer to Gateways of others.
 * Each has a listener for each section and port that routes and policies name, and takes routes and ListenerSets of all namespaces.
 *
 * @param objects The objects of files; of a change, those on both sides, so that both have the same Gateways.
 * @param side The objects with references to the Gateways. Default: all.
 * @returns The Gateways; none for an input without Gateways, because routes do not need any then.
 */
export function assumedGateways(
  objects: readonly KubernetesObject[],
  side: readonly KubernetesObject[] = objects,
): readonly AssumedGateway[] {
  const declared = new Set(objects.filter(isGateway).map((object) => locatorOf(object, 'Namespaced')));
  if (declared.size === 0) return [];
  const references = objects.filter(isRoute).flatMap(gatewayReferences);
  const missing = references.filter(({ locator }) => !declared.has(locator));
  const byGateway = groupedBy(missing, ({ locator }) => locator);
  const sections = sectionsOfPolicies(objects);
  const told = side === objects ? missing : side.filter(isRoute).flatMap(gatewayReferences);
  const unplaced = new Set(
    objects.filter(isGateway).flatMap(({ metadata: { name, namespace } }) => (namespace === undefined ? [name] : [])),
  );
  return [...byGateway].map(([gateway, refs]) => ({
    hasNamesake: refs.some(({ name }) => unplaced.has(name)),
    object: gatewayFor(refs, sections.get(gateway) ?? []),
    refs: told.filter(({ locator }) => locator === gateway).map(({ resource, pointer }) => ({ resource, pointer })),
  }));
}

/** Returns the locators of assumed Gateways. Their listeners are not known. */
export function assumedLocators(assumed: readonly AssumedGateway[]): ReadonlySet<string> {
  return new Set(assumed.map(({ object }) => locatorOf(object, 'Namespaced')));
}

interface Reference {
  readonly locator: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly section: string | undefined;
  readonly port: number | undefined;
  readonly routeKind: string;
  readonly resource: string;
  readonly pointer: string;
}

function isGateway({ kind, apiVersion }: KubernetesObject): boolean {
  return kind === 'Gateway' && apiVersion.startsWith(`${group}/`);
}

function isRoute({ kind, apiVersion }: KubernetesObject): boolean {
  return Object.hasOwn(listeners, kind) && apiVersion.startsWith(`${group}/`);
}

function gatewayReferences(route: KubernetesObject): readonly Reference[] {
  return objectsIn(specOf(route).parentRefs).flatMap((parent, index): readonly Reference[] => {
    const name = stringIn(parent.name);
    if (name === undefined || (parent.kind ?? 'Gateway') !== 'Gateway' || (parent.group ?? group) !== group) return [];
    const namespace = stringIn(parent.namespace) ?? route.metadata.namespace;
    return [
      {
        locator: formatLocator({ group, kind: 'Gateway', namespace: namespace ?? 'default', name }),
        name,
        namespace,
        section: stringIn(parent.sectionName),
        port: typeof parent.port === 'number' ? parent.port : undefined,
        routeKind: route.kind,
        resource: locatorOf(route, 'Namespaced'),
        pointer: `/spec/parentRefs/${index}`,
      },
    ];
  });
}

type Section = Pick<Reference, 'section' | 'port'>;

/** Returns the sections and ports of Gateways that policies target, by the locators of the Gateways. */
function sectionsOfPolicies(objects: readonly KubernetesObject[]): ReadonlyMap<string, readonly Section[]> {
  const sections = new Map<string, Section[]>();
  for (const object of objects) {
    const { targetRef, targetRefs } = specOf(object);
    for (const ref of [...objectsIn(targetRefs), ...(isJsonObject(targetRef) ? [targetRef] : [])]) {
      const [name, section] = [stringIn(ref.name), stringIn(ref.sectionName)];
      const port = typeof ref.port === 'number' ? ref.port : undefined;
      if (ref.kind !== 'Gateway' || name === undefined || (section ?? port) === undefined) continue;
      const namespace = stringIn(ref.namespace) ?? object.metadata.namespace ?? 'default';
      const locator = formatLocator({ group, kind: 'Gateway', namespace, name });
      sections.set(locator, [...(sections.get(locator) ?? []), { section, port }]);
    }
  }
  return sections;
}

function gatewayFor(refs: readonly Reference[], sections: readonly Section[]): KubernetesObject {
  const byName = new Map<string, { readonly name: string; readonly protocol: string; readonly port: number }>();
  const add = (name: string, protocol: string, usual: number): void => {
    if (byName.has(name)) return;
    const taken = new Set([...byName.values()].map((it) => it.port));
    let port = usual;
    while (taken.has(port)) port += 1;
    byName.set(name, { name, protocol, port });
  };
  for (const { section, port, routeKind } of refs) {
    const [protocol, usual] = listeners[routeKind] ?? ['HTTP', 80];
    add(section ?? `${protocol.toLowerCase()}-${port ?? usual}`, protocol, port ?? usual);
  }
  for (const { section, port = 80 } of sections) {
    if (section !== undefined) add(section, 'HTTP', port);
    else if (![...byName.values()].some((it) => it.port === port)) add(`http-${port}`, 'HTTP', port);
  }
  const [first] = refs;
  return {
    apiVersion: `${group}/v1`,
    kind: 'Gateway',
    metadata: { name: first?.name ?? '', ...(first?.namespace === undefined ? {} : { namespace: first.namespace }) },
    spec: {
      listeners: [...byName.values()].map((it) => ({ ...it, allowedRoutes: { namespaces: { from: 'All' } } })),
      allowedListeners: { namespaces: { from: 'All' } },
    },
  };
}
