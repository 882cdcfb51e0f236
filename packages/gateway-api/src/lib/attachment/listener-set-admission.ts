import { isJsonObject, type KubernetesObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type { AdmissionLookup, NamedTarget, Refusal } from '@policy-machinery/topology';
import { gatewayKind, isSameKind } from '../fields/hierarchy.ts';
import { targetOf } from '../fields/object-reference.ts';
import { decideByNamespace, unnamedOf } from '../listeners/allowed-namespaces.ts';
import { reportedDecision } from './acceptance.ts';
import { attachmentOf, type GatewayApiOptions } from './options.ts';

/** Returns the Gateway that a ListenerSet names; `undefined` if its parentRef names none. */
export function gatewayMeant(set: KubernetesObject): NamedTarget | undefined {
  const { parentRef } = specOf(set);
  const to = isJsonObject(parentRef) ? targetOf(parentRef, gatewayKind) : undefined;
  return to === undefined || !isSameKind(to, gatewayKind) ? undefined : to;
}

/** Returns why a Gateway does not take a ListenerSet: by the status of the set, if that counts and contains a decision, or else by `allowedListeners`. */
export function refusedByGateway(
  set: KubernetesObject,
  gateway: KubernetesObject,
  { namespaceLabels }: Pick<AdmissionLookup, 'namespaceLabels'>,
  options: GatewayApiOptions,
): Refusal | undefined {
  const reported = attachmentOf(options) === 'status' ? reportedDecision(set) : undefined;
  if (reported !== undefined) return reported === 'accepted' ? undefined : reported;
  const { allowedListeners } = specOf(gateway);
  const namespaces = isJsonObject(allowedListeners) ? allowedListeners.namespaces : undefined;
  const places = [namespaceOf(gateway), namespaceOf(set)] as const;
  const fault = faultOfNamespaces(namespaces, ...places, namespaceLabels, unnamedOf(gateway, set));
  if (fault === undefined) return undefined;
  const { message, lacks } = fault;
  return { reason: 'NotAllowed', message, ...(lacks && { lacks }) };
}

const faultOfNamespaces = decideByNamespace({ byDefault: 'None', owner: 'the Gateway', guests: 'ListenerSets' });

/** Returns why the listeners of a ListenerSet take no routes: no Gateway takes the set. */
export function refusedWithSet(
  set: KubernetesObject,
  lookup: AdmissionLookup,
  options: GatewayApiOptions,
): Refusal | undefined {
  const to = gatewayMeant(set);
  const namespace = to?.namespace ?? namespaceOf(set);
  const gateway = to && lookup.resource({ ...to, namespace });
  if (gateway === undefined)
    return { ...noGateway, ...(to && { lacks: { ...gatewayKind, namespace, name: to.name } }) };
  const refusal = refusedByGateway(set, gateway, lookup, options);
  if (refusal === undefined) return undefined;
  const message = `the Gateway of its ListenerSet does not take the set: ${refusal.message}`;
  return { ...refusal, reason: 'NoMatchingParent', message };
}

const noGateway: Refusal = { reason: 'NoMatchingParent', message: 'the Gateway of its ListenerSet is missing' };
