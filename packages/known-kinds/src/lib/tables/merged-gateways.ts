import { GatewayClass } from '@policy-machinery/gateway-api';
import { isJsonObject, type KubernetesObject, objectIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind, type FindObject } from '@policy-machinery/topology';

/** The settings of Envoy Gateway's proxies, which a GatewayClass names in `parametersRef`. */
export const EnvoyProxy = defineTargetKind({
  group: 'gateway.envoyproxy.io',
  kind: 'EnvoyProxy',
  plural: 'envoyproxies',
  versions: ['v1alpha1'],
  mayReferTo: () => false,
});

/**
 * Returns why patches have no effect on a Gateway or GatewayClass: Gateways that share one proxy are patched by their class, others by themselves.
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
  const name = stringIn(specOf(target).gatewayClassName);
  const { group, kind } = GatewayClass;
  const gatewayClass = name === undefined ? undefined : find({ group, kind, name });
  const isMerged = gatewayClass !== undefined && areMerged(gatewayClass, find);
  return isMerged ? `which is merged with the other Gateways of its class; target the GatewayClass ${name}` : undefined;
}

function areMerged(gatewayClass: KubernetesObject, find: FindObject): boolean {
  const { parametersRef } = specOf(gatewayClass);
  if (!isJsonObject(parametersRef)) return false;
  const { group, kind } = EnvoyProxy;
  const { namespace, name } = parametersRef;
  const isNamed = parametersRef.group === group && parametersRef.kind === kind;
  if (!isNamed || typeof name !== 'string' || typeof namespace !== 'string') return false;
  const proxy = find({ group, kind, namespace, name });
  return proxy !== undefined && objectIn(proxy.spec).mergeGateways === true;
}
