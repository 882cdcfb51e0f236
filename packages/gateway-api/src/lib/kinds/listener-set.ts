import { pluralOf } from '@policy-machinery/resource/inner';
import { defineTargetKind, type Reference } from '@policy-machinery/topology';
import { gatewayMeant, refusedByGateway } from '../attachment/listener-set-admission.ts';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { experimentalGroup, gatewayGroup } from '../fields/group.ts';
import { gatewayKind, isSameKind } from '../fields/hierarchy.ts';
import { faultsOfListenerSets } from '../fields/shapes.ts';
import { listenerSectionWith } from './listener-section.ts';

/**
 * Returns a kind of ListenerSet. It is below its Gateway as a whole, if `allowedListeners` of the Gateway allows it; its listeners are siblings of
 * the Gateway's listeners, so a policy on one of these does not reach them.
 *
 * @param kind Its name.
 * @param options How it is linked to its Gateway.
 */
export function listenerSetKind(group: string, kind: string, options: GatewayApiOptions = {}) {
  return defineTargetKind({
    group,
    kind,
    plural: pluralOf(kind),
    versions: [group === experimentalGroup ? 'v1alpha1' : 'v1'],
    sections: { listener: listenerSectionWith(options) },
    faults: faultsOfListenerSets,
    needsParent: options.needsParent ?? true,
    mayReferTo: (to, direction) => direction === 'up' && isSameKind(to, gatewayKind),
    *references(set): Iterable<Reference> {
      const to = gatewayMeant(set);
      if (to === undefined) return;
      yield {
        direction: 'up',
        to,
        pointer: '/spec/parentRef',
        admits: ({ resource }, lookup) => refusedByGateway(set, resource, lookup, options),
      };
    },
  });
}

/** A ListenerSet, which adds listeners to a Gateway. Its sections are its listeners. */
export const ListenerSet = listenerSetKind(gatewayGroup, 'ListenerSet');
/** The experimental version of ListenerSet. */
export const XListenerSet = listenerSetKind(experimentalGroup, 'XListenerSet');
