import type { JsonValue } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { HttpRequest } from '../matching/http-request.ts';
import { delegatedRoutes } from './delegated-routes.ts';
import { routeKindOf } from './host-routes.ts';
import { type ListenerNode, type ListenerWithoutRoutes, listenerNode, type RoutePlace } from './listener-node.ts';
import { type Frontends, frontendOfService, frontendsAt } from './mesh-routes.ts';
import type { Question } from './question.ts';

/** The listeners for a request within a mesh at one port of a Service. */
export interface MeshEntry {
  readonly port: number;
  /** The routes of the client's namespace, then the producer's, as two listeners; without those that have none. */
  readonly listeners: readonly ListenerNode[];
}

/**
 * Returns the frontends of a Service as the listeners of its ports. Where the client's namespace has routes for the port, the
 * producer's take nothing (GEP-1294).
 *
 * @param service The frontend of the Service for all namespaces.
 * @param client The namespace of the client.
 * @param asked The request, `undefined` for any over TCP, and its port.
 * @returns An entry for each port of the Service that is asked for, in order.
 */
export function meshEntries(
  topology: Topology,
  service: TargetNode,
  client: string,
  { question, port: asked }: { readonly question: Question | undefined; readonly port: HttpRequest['port'] },
): readonly MeshEntry[] {
  const transport = question?.request.transport ?? 'TCP';
  const byPort = new Map<JsonValue | undefined, TargetNode[]>();
  const open = new Set<number>();
  for (const node of service.sections) {
    const { port, protocol } = node.section?.value ?? {};
    const there = byPort.get(port);
    if (there === undefined) byPort.set(port, [node]);
    else there.push(node);
    const isOpen = (protocol ?? 'TCP') === transport;
    if (typeof port === 'number' && isOpen && port === (asked ?? port)) open.add(port);
  }
  return [...open]
    .sort((a, b) => a - b)
    .map((port) => {
      const frontends = frontendsAt(topology, service, byPort.get(port) ?? [], { namespace: client, port });
      return { port, listeners: meshListeners(frontends, port, question) };
    });
}

/**
 * Returns the listeners of a Service in a mesh as input for {@link matchRequest}, for any request over TCP: for each port, the routes of the
 * client's namespace, then the producer's, which take nothing if the client's namespace has routes for the port.
 *
 * @param topology A topology with the kinds of `gatewayApi({ mesh: true })`.
 * @param frontend The frontend of the Service for all namespaces: `serviceFrontend.mesh.policy-machinery:payments/pay`.
 * @param client The namespace of the client.
 * @returns An entry for each port, in order; without listeners for a port without routes.
 */
export function serviceListeners(topology: Topology, frontend: TargetNode, client: string): readonly MeshEntry[] {
  return meshEntries(topology, frontend, client, { question: undefined, port: undefined });
}

function meshListeners(
  { consumer, producer }: Frontends,
  port: number,
  question: Question | undefined,
): readonly ListenerNode[] {
  const consumers = placesBelow(consumer, question);
  const producers = placesBelow(producer, question);
  const lostBy = consumers.length > 0 ? ('consumer routes' as const) : undefined;
  return [
    ...meshListener(consumers, { name: 'consumer', port, isFrontend: true }),
    ...meshListener(producers, { name: 'producer', port, isFrontend: true, lostBy }),
  ];
}

/** Returns the routes of one side as a listener; `undefined` if there are none. */
function meshListener(
  places: readonly RoutePlace[],
  listener: Omit<ListenerWithoutRoutes, 'node'>,
): readonly ListenerNode[] {
  const [first] = places;
  return first === undefined ? [] : [listenerNode({ ...listener, node: first.listener }, places)];
}

/** Returns the routes below frontends; a route below several frontends belongs to the first one. */
function placesBelow(frontends: readonly TargetNode[], question: Question | undefined): readonly RoutePlace[] {
  const transport = question?.request.transport ?? 'TCP';
  const routes = new Map<TargetNode, TargetNode>();
  for (const listener of frontends) {
    for (const route of listener.linksTo) {
      if (routeKindOf(route.resource)?.transport === transport && !routes.has(route)) routes.set(route, listener);
    }
  }
  return [...routes].flatMap(([route, listener]) =>
    delegatedRoutes(route, question, { hostnamesCount: false }).map((found) => ({ ...found, listener })),
  );
}

/**
 * Returns the Service that cluster DNS resolves a host to for a client: `pay` in the client's own namespace, `pay.payments`,
 * `pay.payments.svc`, also with the domain of the cluster.
 *
 * @returns The frontend that it has for everybody; `undefined` if the host is not such a name, or the Service
 * does not exist.
 */
export function serviceNamed(topology: Topology, host: string, client: string): TargetNode | undefined {
  const [, name, namespace = client] =
    /^([^.:]+)(?:\.([^.:]+)(?:\.svc(?:\.[^:]+)?)?)?(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return name === undefined ? undefined : frontendOfService(topology, { namespace, name });
}
