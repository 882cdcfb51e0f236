import { isJsonObject, type KubernetesObject, namespaceOf, pluralOf, specOf } from '@policy-machinery/resource';
import {
  type AdmissionLookup,
  defineTargetKind,
  type LinkEnd,
  type Reference,
  type Refusal,
} from '@policy-machinery/topology';
import { refusedInConditions } from '../attachment/acceptance.ts';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { experimentalGroup, gatewayGroup } from '../fields/group.ts';
import { gatewayKind, isSameKind } from '../fields/hierarchy.ts';
import { targetOf } from '../fields/object-reference.ts';
import { faultsOfListenerSets } from '../fields/shapes.ts';
import { decideByNamespace } from '../listeners/allowed-namespaces.ts';
import { listenerSection } from './listener-section.ts';

/**
 * Returns a kind of ListenerSet. It is below its Gateway as a whole, if `allowedListeners` of the Gateway allows it; its listeners are siblings of
 * the Gateway's listeners, so a policy on one of these does not reach them (H-06).
 *
 * @param group Its group.
 * @param kind Its name.
 * @param options How it is linked to its Gateway.
 */
export function listenerSetKind(group: string, kind: string, options: GatewayApiOptions = {}) {
  return defineTargetKind({
    group,
    kind,
    plural: pluralOf(kind),
    versions: [group === experimentalGroup ? 'v1alpha1' : 'v1'],
    sections: { listener: listenerSection },
    faults: faultsOfListenerSets,
    needsParent: options.needsParent ?? true,
    mayReferTo: (to, direction) => direction === 'up' && isSameKind(to, gatewayKind),
    *references(set): Iterable<Reference> {
      const { parentRef } = specOf(set);
      const to = isJsonObject(parentRef) ? targetOf(parentRef, gatewayKind) : undefined;
      if (to === undefined || to.group !== gatewayKind.group || to.kind !== gatewayKind.kind) return;
      const isByStatus = options.attachment === 'status';
      yield {
        direction: 'up',
        to,
        pointer: '/spec/parentRef',
        admits: (end, lookup) =>
          (isByStatus ? refusedInConditions(set) : undefined) ?? refusedByGateway(set, end, lookup),
      };
    },
  });
}

/** A ListenerSet, which adds listeners to a Gateway. Its sections are its listeners. */
export const ListenerSet = listenerSetKind(gatewayGroup, 'ListenerSet');
/** The experimental version of ListenerSet. */
export const XListenerSet = listenerSetKind(experimentalGroup, 'XListenerSet');

const faultOfNamespaces = decideByNamespace({ byDefault: 'None', owner: 'the Gateway', guests: 'ListenerSets' });

function refusedByGateway(
  set: KubernetesObject,
  { resource: gateway }: LinkEnd,
  { namespaceLabels }: AdmissionLookup,
): Refusal | undefined {
  const { allowedListeners } = specOf(gateway);
  const namespaces = isJsonObject(allowedListeners) ? allowedListeners.namespaces : undefined;
  const fault = faultOfNamespaces(namespaces, namespaceOf(gateway), namespaceOf(set), namespaceLabels);
  return fault === undefined ? undefined : { reason: 'NotAllowed', message: fault.message };
}
