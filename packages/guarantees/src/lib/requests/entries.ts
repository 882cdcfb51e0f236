import { type GatewayListener, gatewayListeners, type Transport } from '@policy-machinery/gateway-api';
import { serviceListeners } from '@policy-machinery/gateway-api/inner';
import { groupKindOf, type ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';

/** A place where requests arrive: a port of a Gateway, or of a Service in a mesh. */
export interface Entry {
  /** The Gateway; in a mesh, the frontend of the Service. */
  readonly node: TargetNode;
  readonly port: number;
  readonly transport: Transport;
  /** In a mesh, the namespace of the client. */
  readonly client?: string;
  readonly listeners: readonly GatewayListener[];
}

/**
 * Returns the host of all requests at an entry of a mesh, as cluster DNS has it: `pay.payments`.
 *
 * @returns `undefined` for a Gateway.
 */
export function meshHostOf({ client, node: { ref } }: Entry): string | undefined {
  return client === undefined ? undefined : `${ref.name}.${ref.namespace}`;
}

const gatewayGroup = 'gateway.networking.k8s.io';
const frontendKind = 'ServiceFrontend';

function isGateway({ section, ref }: TargetNode): boolean {
  return section === undefined && ref.kind === 'Gateway' && ref.group === gatewayGroup;
}

/** Returns whether a target is the frontend of a Service for all namespaces: consumers' frontends have a dot in their name. */
function isFrontend({ section, resource, ref }: TargetNode): boolean {
  if (section !== undefined || ref.kind !== frontendKind || ref.name.includes('.')) return false;
  return groupKindOf(resource).kind === frontendKind;
}

/**
 * Returns the entries of a Gateway or of the frontend of a Service.
 *
 * @param node The Gateway or frontend.
 * @param clientsOf The namespaces with their own routes to a Service.
 * @returns An entry for each port and transport, in order; none for other targets. O(matches below).
 */
export function entriesAt(topology: Topology, node: TargetNode, clientsOf: ClientsOf): readonly Entry[] {
  if (isGateway(node)) return gatewayEntries(node);
  return isFrontend(node) ? serviceEntries(topology, node, clientsOf(node)) : [];
}

function gatewayEntries(node: TargetNode): readonly Entry[] {
  const listeners = gatewayListeners(node);
  const ports = [...new Set(listeners.map(({ port }) => port))].sort((a, b) => a - b);
  return ports.flatMap((port) =>
    (['TCP', 'UDP'] as const).flatMap((transport) => {
      const at = listeners.filter((it) => it.port === port && (it.transport ?? transport) === transport);
      return at.length === 0 ? [] : [{ node, port, transport, listeners: at }];
    }),
  );
}

function serviceEntries(topology: Topology, node: TargetNode, clients: readonly string[]): readonly Entry[] {
  const own = node.ref.namespace ?? '';
  return [own, ...clients.filter((client) => client !== own)].flatMap((client) =>
    serviceListeners(topology, node, client).flatMap(({ port, listeners }) =>
      listeners.length === 0 ? [] : [{ node, port, transport: 'TCP' as const, client, listeners }],
    ),
  );
}

/** Returns whether requests arrive at a target: a Gateway, or the frontend of a Service for all namespaces. */
export function isEntryNode(node: TargetNode): boolean {
  return isGateway(node) || isFrontend(node);
}

/**
 * Returns the target where the requests arrive that a consumer's frontend takes.
 *
 * @param node Any target.
 * @returns The frontend of the Service for all namespaces, which need not exist; `undefined` if the target is not a consumer's frontend.
 */
export function servedBy({ ref, section }: TargetNode): ResourceRef | undefined {
  const [name = '', namespace] = ref.name.split('.');
  if (section !== undefined || ref.kind !== frontendKind || namespace === undefined) return undefined;
  return { ...ref, name, namespace };
}

/** Returns the namespaces with their own routes to a Service, by its frontend. */
export type ClientsOf = (frontend: TargetNode) => readonly string[];

/** Returns a lookup of the namespaces that have consumers' frontends. O(targets). */
export function clientsIn(topology: Topology): ClientsOf {
  const clients = new Map<string, Set<string>>();
  for (const node of topology.targets) {
    const service = servedBy(node);
    if (service === undefined) continue;
    const key = `${service.namespace}/${service.name}`;
    clients.set(key, (clients.get(key) ?? new Set()).add(node.ref.namespace ?? ''));
  }
  return ({ ref }) => [...(clients.get(`${ref.namespace}/${ref.name}`) ?? [])].sort();
}
