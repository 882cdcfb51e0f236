import {
  groupKindOf,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  specOf,
} from '@policy-machinery/resource';
import { defineTargetKind, type NamedTarget, type TargetNode, type Topology } from '@policy-machinery/topology';
import { gatewayGroup } from './group.ts';
import { gatewayKind, isService } from './hierarchy.ts';
import { itemsOf } from './items.ts';
import { isUnset, targetOf } from './object-reference.ts';
import { Service } from './service.ts';

const group = 'mesh.policy-machinery';
const kind = 'ServiceFrontend';

/**
 * The frontend of a Service in a mesh: where clients send their requests, while the Service itself is where requests end. So a
 * Service can be both the parent and a backend of one route. It is virtual (T-16):
 *
 * - Each Service has one of its own name, with its ports, for the clients of all namespaces. The routes beneath it are the
 *   producer's: those in the namespace of the Service.
 * - Where routes of another namespace have the Service as a parent, that namespace has one, `<service>.<namespace>`, for its
 *   own clients: the consumer's. It goes on with the section and the port that the routes name, if they do.
 */
export const ServiceFrontend = defineTargetKind({
  group,
  kind,
  sections: Service.sections,
  mayReferTo: () => false,
  *derive(resource) {
    if (isService(groupKindOf(resource))) {
      yield frontend(namespaceOf(resource), resource.metadata.name, { ports: specOf(resource).ports ?? [] });
      return;
    }
    if (groupKindOf(resource).group !== gatewayGroup) return;
    for (const parentRef of itemsOf(specOf(resource).parentRefs)) {
      const service = targetOf(parentRef, gatewayKind);
      if (service === undefined || !isService(service) || !isConsumer(resource, service)) continue;
      yield frontend(namespaceOf(resource), consumerName(service, parentRef), {});
    }
  },
});

/** A Service that a route has as a parent, as the frontend that it means. */
export function frontendOf(
  service: NamedTarget,
  part: FrontendPart,
  route: KubernetesObject,
): { readonly to: NamedTarget; readonly isConsumer: boolean } {
  if (!isConsumer(route, service)) return { to: { ...service, group, kind }, isConsumer: false };
  return { to: { group, kind, name: consumerName(service, part) }, isConsumer: true };
}

/**
 * The routes that take the requests of a client to a port of a Service, in a mesh (H-04): those of the client's own namespace,
 * if there are any for this Service and port; else those of the Service's.
 *
 * @param topology A topology with the kinds of `gatewayApi({ mesh: true })`.
 * @param service Namespace and name of the Service.
 * @param client The namespace of the client, and the port that it calls.
 * @returns The routes, by locator; none where requests go to the Service as they are, and where there is no such Service.
 * O(routes returned).
 */
export function meshRoutes(
  topology: Topology,
  service: ServiceName,
  client: { readonly namespace: string; readonly port: number },
): readonly TargetNode[] {
  const own = frontendOfService(topology, service);
  if (own === undefined) return [];
  const { consumer, producer } = frontendsFor(topology, own, client);
  const theirs = routesBeneath(consumer);
  return theirs.length > 0 ? theirs : routesBeneath(producer);
}

/** A Service. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** The frontend that a Service has for everybody; `undefined` where there is no such Service, or no mesh. */
export function frontendOfService(topology: Topology, { namespace, name }: ServiceName): TargetNode | undefined {
  return topology.get({ group, kind, namespace, name });
}

/** The frontends of one Service for one client and port, each of which may have routes beneath it. */
export interface Frontends {
  /** Those of the client's namespace. None where that is the Service's. */
  readonly consumer: readonly TargetNode[];
  /** The one for everybody, then that of the port. */
  readonly producer: readonly TargetNode[];
}

/**
 * The frontends of a Service that a client may come upon (H-04).
 *
 * @param topology The topology.
 * @param own The frontend that the Service has for everybody.
 * @param client The namespace of the client, and the port that it calls.
 * @returns The frontends. O(ports of the Service).
 */
export function frontendsFor(
  topology: Topology,
  own: TargetNode,
  client: { readonly namespace: string; readonly port: number },
): Frontends {
  const sections = own.sections.filter(({ section }) => section?.value.port === client.port);
  return frontendsAt(topology, own, sections, client);
}

/** {@link frontendsFor}, where the frontends of the port are known. */
export function frontendsAt(
  topology: Topology,
  own: TargetNode,
  sections: readonly TargetNode[],
  client: { readonly namespace: string; readonly port: number },
): Frontends {
  const sectionNames = [undefined, ...sections.map(({ ref }) => ref.section)];
  const parts = sectionNames.flatMap((sectionName) => [{ sectionName }, { sectionName, port: client.port }]);
  const names = parts.map((part) => consumerName(own.ref, part));
  const consumer = names.flatMap((name) => topology.get({ group, kind, namespace: client.namespace, name }) ?? []);
  return { consumer, producer: [own, ...sections] };
}

/** The part of a Service that a route names. */
interface FrontendPart {
  readonly sectionName?: JsonValue | undefined;
  readonly port?: JsonValue | undefined;
}

function isConsumer(route: KubernetesObject, { namespace }: NamedTarget): boolean {
  return !isUnset(namespace) && namespace !== namespaceOf(route);
}

function consumerName({ name, namespace }: Pick<NamedTarget, 'name' | 'namespace'>, part: FrontendPart): string {
  return [name, namespace, part.sectionName, part.port].filter((it) => !isUnset(it)).join('.');
}

function frontend(namespace: string, name: string, spec: JsonObject): KubernetesObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { namespace, name }, spec };
}

function routesBeneath(frontends: readonly TargetNode[]): readonly TargetNode[] {
  const routes = new Set(frontends.flatMap(({ linksTo }) => linksTo));
  return [...routes].sort((a, b) => (a.locator < b.locator ? -1 : 1));
}
