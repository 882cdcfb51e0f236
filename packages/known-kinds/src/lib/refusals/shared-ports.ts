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
import type { FindObject, UndecidedRefusal } from '@policy-machinery/topology';
import { areMerged, classOf } from './merged-gateways.ts';

/**
 * Returns why a policy does not affect a target: in Envoy, HTTP listeners of one port are one listener, so that the policy would affect the others,
 * too. HTTPS listeners are separate. A policy on a whole Gateway also affects its ListenerSets.
 *
 * @param target The Gateway or ListenerSet.
 * @param find Finds the Gateway of a ListenerSet, the other ListenerSets, and the Gateways that are merged.
 * @param section The name of the listener; `undefined` if the policy targets all listeners.
 */
export function onePolicyForPort(
  target: KubernetesObject,
  find: FindObject,
  section?: string,
): string | UndecidedRefusal | undefined {
  const isAffected = ({ name }: JsonObject) => section === undefined || name === section;
  const affected = listenersOf(target).filter(isAffected);
  const http = affected.filter(isHttp);
  const gateway = target.kind === ListenerSet.kind ? gatewayOf(target, find) : target;
  if (http.length === 0 || gateway === undefined) return undefined;
  const others = [
    ...listenersOf(target).filter((it) => !isAffected(it)),
    ...(gateway === target ? [] : listenersOf(gateway)),
    ...(gateway === target && section === undefined ? [] : listenersOfSets(gateway, target, find)),
  ];
  const isShared = ({ port }: JsonObject, by: readonly JsonObject[]) => by.some((it) => isHttp(it) && it.port === port);
  const other = others.find((it) => isHttp(it) && isShared(it, http));
  if (other === undefined) return sharedByMerged(gateway, http, find);
  const text = `which shares port ${other.port} with the HTTP listener ${other.name}`;
  if (!affected.every((it) => isHttp(it) && isShared(it, others)))
    return { undecided: `${text}, and has other listeners`, remedy: 'target these' };
  return `${text}; target the ${gateway === target ? 'Gateway or ListenerSet' : 'Gateway'} as a whole`;
}

/** Returns whether another Gateway that may use the same proxies has an HTTP listener at one of the ports: the newer one of two that conflict takes no requests. */
function sharedByMerged(
  gateway: KubernetesObject,
  http: readonly JsonObject[],
  find: FindObject,
): string | UndecidedRefusal | undefined {
  const gatewayClass = classOf(gateway, find);
  if (gatewayClass === undefined || specOf(gatewayClass).parametersRef === undefined) return undefined;
  const ports = new Set(http.map(({ port }) => port));
  const hasPort = (listener: JsonObject) => isHttp(listener) && ports.has(listener.port);
  const rivals = find.referrers(gatewayClass, Gateway).filter((it) => it !== gateway);
  const rival = rivals.find((it) => listenersOf(it).some(hasPort));
  if (rival === undefined || !areMerged(gatewayClass, find)) return undefined;
  const { namespace, name } = rival.metadata;
  return { undecided: `which is merged with ${Gateway.kind} ${namespace}/${name}, and shares an HTTP port with it` };
}

/** Returns the listeners of a Gateway or ListenerSet. */
export function listenersOf(owner: KubernetesObject): readonly JsonObject[] {
  return objectsIn(specOf(owner).listeners);
}

/** Returns the listeners of all ListenerSets of a Gateway but one. */
function listenersOfSets(gateway: KubernetesObject, not: KubernetesObject, find: FindObject): readonly JsonObject[] {
  const sets = find.referrers(gateway, ListenerSet).filter((it) => it !== not);
  return sets.flatMap(listenersOf);
}

function isHttp({ protocol }: JsonObject): boolean {
  return protocol === 'HTTP';
}

/** Returns the Gateway of a ListenerSet. */
export function gatewayOf({ metadata, spec }: KubernetesObject, find: FindObject): KubernetesObject | undefined {
  const { parentRef } = objectIn(spec);
  if (!isJsonObject(parentRef)) return undefined;
  const name = stringIn(parentRef.name);
  const namespace = stringIn(parentRef.namespace) ?? metadata.namespace;
  return name === undefined
    ? undefined
    : find({ group: Gateway.group, kind: Gateway.kind, name, ...(namespace && { namespace }) });
}
