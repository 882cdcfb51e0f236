import { Gateway, GatewayClass } from '@policy-machinery/gateway-api';
import { type JsonObject, type KubernetesObject, objectsIn, specOf, valueAt } from '@policy-machinery/resource';
import { accessLabel } from './namespaces.ts';
import type { World } from './world.ts';

/** The name of the one GatewayClass. */
const className = 'edge';

/** Returns the GatewayClass of all Gateways. */
export function newGatewayClass({ server }: World): KubernetesObject {
  const spec = { controllerName: 'workload.example.com/gateways' };
  return server.create(GatewayClass, { name: className }, { spec });
}

/** Returns a new Gateway. Its listeners differ in their ports; or in their hostnames, but for the first one, which takes any. */
export function newGateway(world: World, name: string, namespace: string, listeners: number): KubernetesObject {
  const { random } = world;
  const isByHostname = random.chance(0.5);
  const { namespaces } = random.pickWeighted(letIn);
  return gatewayWith(
    world,
    { name, namespace },
    Array.from({ length: listeners }, (_, index) => ({
      ...(isByHostname && index > 0 ? hostnameListener(name, index) : portListener(index)),
      allowedRoutes: { namespaces },
    })),
  );
}

/** Returns a new Gateway with these listeners. */
export function gatewayWith(
  { server }: World,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  listeners: readonly JsonObject[],
): KubernetesObject {
  const accepted = { observedGeneration: 1, reason: 'Accepted', status: 'True', type: 'Accepted' };
  const spec = { gatewayClassName: className, listeners };
  return server.create(Gateway, { name, namespace }, { spec, status: { conditions: [accepted] } });
}

/** Returns a listener for all hostnames on a port of its own. */
export function portListener(index: number): JsonObject {
  return { name: `http-${index}`, port: 8000 + index, protocol: 'HTTP' };
}

function hostnameListener(gateway: string, index: number): JsonObject {
  return {
    name: `https-${index}`,
    hostname: `*.l${index}.${gateway}.example.com`,
    port: 443,
    protocol: 'HTTPS',
    tls: { mode: 'Terminate', certificateRefs: [{ name: `${gateway}-tls` }] },
  };
}

/** Whose routes a Gateway lets in. */
const letIn: readonly { readonly weight: number; readonly namespaces: JsonObject }[] = [
  { weight: 70, namespaces: { from: 'All' } },
  { weight: 15, namespaces: { from: 'Same' } },
  { weight: 15, namespaces: { from: 'Selector', selector: { matchLabels: { [accessLabel]: 'shared' } } } },
];

/** Tells whether a Gateway lets in the routes of a Namespace. All its listeners are alike in this. */
export function admissionTo(gateway: KubernetesObject): (namespace: KubernetesObject) => boolean {
  const [listener = {}] = listenersOf(gateway);
  const from = valueAt(listener, '/allowedRoutes/namespaces/from');
  return ({ metadata: { name, labels } }) => {
    if (from === 'Same') return gateway.metadata.namespace === name;
    return from !== 'Selector' || labels?.[accessLabel] === 'shared';
  };
}

/** Returns the listeners of a Gateway. */
export function listenersOf(gateway: KubernetesObject): readonly JsonObject[] {
  return objectsIn(specOf(gateway).listeners);
}
