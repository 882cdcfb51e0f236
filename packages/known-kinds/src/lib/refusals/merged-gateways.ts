import { GatewayClass } from '@policy-machinery/gateway-api';
import { isJsonObject, type KubernetesObject, objectIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind, type FindObject } from '@policy-machinery/topology';
import { domainOf } from '../tables/data-planes.ts';

/** The settings of Envoy Gateway's proxies, which a GatewayClass names in `parametersRef`. */
export const EnvoyProxy = defineTargetKind({
  group: 'gateway.envoyproxy.io',
  kind: 'EnvoyProxy',
  plural: 'envoyproxies',
  versions: ['v1alpha1'],
  mayReferTo: () => false,
});

/**
 * Returns why patches do not affect a Gateway or GatewayClass: Gateways that share one proxy are patched by their class, others by themselves.
 *
 * @param target The Gateway or GatewayClass.
 * @param find Finds the GatewayClass, and its EnvoyProxy.
 */
export function mergedElsewhere(target: KubernetesObject, find: FindObject): string | undefined {
  if (target.kind === GatewayClass.kind) {
    return areMerged(target, find)
      ? undefined
      : 'whose Gateways are not merged; target a Gateway, or set mergeGateways in the EnvoyProxy of the class';
  }
  const gatewayClass = stringIn(specOf(target).gatewayClassName);
  const given = gatewayClass === undefined ? undefined : find({ ...classKind, name: gatewayClass });
  return given !== undefined && areMerged(given, find)
    ? `which is merged with the other Gateways of its class; target the GatewayClass ${gatewayClass}`
    : undefined;
}

const classKind = { group: GatewayClass.group, kind: GatewayClass.kind };

/** Returns the class of a Gateway among those that are given. A class that is missing decides nothing: its Gateways are taken not to be merged. */
export function classOf(gateway: KubernetesObject, find: FindObject): KubernetesObject | undefined {
  const { gatewayClassName } = specOf(gateway);
  return typeof gatewayClassName === 'string' ? find({ ...classKind, name: gatewayClassName }, true) : undefined;
}

/**
 * Returns whether the Gateways of a GatewayClass share their proxies, so that each listener competes with the listeners of the other Gateways: Envoy
 * Gateway's `mergeGateways`. `undefined` if the class does not say, and the configuration of its controller decides.
 *
 * @param gatewayClass The GatewayClass.
 * @param find Finds the EnvoyProxy of the class.
 */
export function areMerged(
  gatewayClass: KubernetesObject,
  find: (...ref: Parameters<FindObject>) => KubernetesObject | undefined,
): boolean | undefined {
  const { parametersRef, controllerName } = specOf(gatewayClass);
  const { group, kind } = EnvoyProxy;
  if (domainOf(String(controllerName)) !== group) return false;
  if (!isJsonObject(parametersRef)) return undefined;
  const { namespace, name } = parametersRef;
  const isNamed = parametersRef.group === group && parametersRef.kind === kind;
  if (!isNamed || typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  const { mergeGateways } = objectIn(find({ group, kind, namespace, name })?.spec);
  return typeof mergeGateways === 'boolean' ? mergeGateways : undefined;
}
