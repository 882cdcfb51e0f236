import { specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { gatewayGroup } from '../fields/group.ts';
import { isSameKind } from '../fields/hierarchy.ts';
import { faultsOfGateways } from '../fields/shapes.ts';
import { configurationReferences } from '../listeners/gateway-configuration.ts';
import { GatewayClass } from './gateway-class.ts';
import { listenerSectionWith } from './listener-section.ts';

/**
 * Returns the kind of Gateways. Sections are their listeners; a Gateway is below the class that `gatewayClassName` names.
 *
 * @param options The data planes of Gateways.
 */
export function gatewayKindWith(options: GatewayApiOptions = {}) {
  return defineTargetKind({
    group: gatewayGroup,
    kind: 'Gateway',
    plural: 'gateways',
    versions: ['v1', 'v1beta1'],
    sections: { listener: listenerSectionWith(options) },
    faults: faultsOfGateways,
    mayReferTo: (kind, direction) => direction === 'up' && isSameKind(kind, GatewayClass),
    *references(gateway) {
      const name = stringIn(specOf(gateway).gatewayClassName);
      const { group, kind } = GatewayClass;
      if (name !== undefined) yield { direction: 'up', to: { group, kind, name }, pointer: '/spec/gatewayClassName' };
      yield* configurationReferences(gateway);
    },
  });
}

/** A Gateway, with its listeners as sections. */
export const Gateway = gatewayKindWith();
