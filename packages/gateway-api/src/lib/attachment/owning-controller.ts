import { groupKindOf, type KubernetesObject, namespaceOf, specOf, stringIn } from '@policy-machinery/resource';
import type { AdmissionLookup } from '@policy-machinery/topology';
import { gatewayClassKind, gatewayKind, isSameKind } from '../fields/hierarchy.ts';
import { gatewayMeant } from './listener-set-admission.ts';

/**
 * Returns the `controllerName` of the class of a Gateway, or of the Gateway of a ListenerSet.
 *
 * @returns `undefined` for other resources, and if the class is not in the topology or names no controller.
 */
export function controllerOf(parent: KubernetesObject, { resource }: AdmissionLookup): string | undefined {
  const isGateway = isSameKind(groupKindOf(parent), gatewayKind);
  const to = isGateway ? undefined : gatewayMeant(parent);
  const gateway = isGateway ? parent : to && resource({ ...to, namespace: to.namespace ?? namespaceOf(parent) });
  const name = gateway && stringIn(specOf(gateway).gatewayClassName);
  return name === undefined ? undefined : controllerOfClass(resource({ ...gatewayClassKind, name }));
}

/** Returns the `controllerName` of a GatewayClass. */
export function controllerOfClass(gatewayClass: KubernetesObject | undefined): string | undefined {
  return gatewayClass && stringIn(specOf(gatewayClass).controllerName);
}
