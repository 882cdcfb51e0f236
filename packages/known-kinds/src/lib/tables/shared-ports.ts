import { Gateway, ListenerSet } from '@policy-machinery/gateway-api';
import {
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import type { FindObject } from '@policy-machinery/topology';

/**
 * Returns why a policy has no effect on a listener: in Envoy, HTTP listeners of one port are one listener, so that the policy would affect the others,
 * too. HTTPS listeners are separate. Listeners of other ListenerSets, and of Gateways that are merged, are not compared.
 *
 * @param target The Gateway or ListenerSet.
 * @param find Finds the Gateway of a ListenerSet.
 * @param section The name of the listener; `undefined` if the policy targets all listeners.
 */
export function onePolicyForPort(target: KubernetesObject, find: FindObject, section?: string): string | undefined {
  if (section === undefined) return undefined;
  const own = objectsIn(specOf(target).listeners);
  const listener = own.find(({ name }) => name === section);
  if (listener === undefined || !isHttp(listener)) return undefined;
  const others = [
    ...own.filter((it) => it !== listener),
    ...objectsIn(objectIn(gatewayOf(target, find)?.spec).listeners),
  ];
  const other = others.find((it) => isHttp(it) && it.port === listener.port);
  if (other === undefined) return undefined;
  return `which shares port ${listener.port} with the HTTP listener ${other.name}; target the ${Gateway.kind} or ${ListenerSet.kind} as a whole`;
}

function isHttp({ protocol }: JsonObject): boolean {
  return protocol === 'HTTP';
}

function gatewayOf({ kind, metadata, spec }: KubernetesObject, find: FindObject): KubernetesObject | undefined {
  const { parentRef } = isJsonObject(spec) ? spec : {};
  if (kind !== ListenerSet.kind || !isJsonObject(parentRef)) return undefined;
  const name = stringIn(parentRef.name);
  const namespace = stringIn(parentRef.namespace) ?? metadata.namespace;
  return name === undefined
    ? undefined
    : find({ group: Gateway.group, kind: Gateway.kind, name, ...(namespace && { namespace }) });
}
