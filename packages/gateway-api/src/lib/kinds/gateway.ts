import { specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { gatewayGroup } from '../fields/group.ts';
import { isSameKind } from '../fields/hierarchy.ts';
import { faultsOfGateways } from '../fields/shapes.ts';
import { configurationReferences } from '../listeners/gateway-configuration.ts';
import { GatewayClass } from './gateway-class.ts';
import { listenerSection } from './listener-section.ts';

/** A Gateway. Its sections are its listeners; it is below the class that `gatewayClassName` names (H-09). */
export const Gateway = defineTargetKind({
  group: gatewayGroup,
  kind: 'Gateway',
  plural: 'gateways',
  versions: ['v1', 'v1beta1'],
  sections: { listener: listenerSection },
  faults: faultsOfGateways,
  mayReferTo: (kind, direction) => direction === 'up' && isSameKind(kind, GatewayClass),
  *references(gateway) {
    const name = stringIn(specOf(gateway).gatewayClassName);
    const { group, kind } = GatewayClass;
    if (name !== undefined) yield { direction: 'up', to: { group, kind, name }, pointer: '/spec/gatewayClassName' };
    yield* configurationReferences(gateway);
  },
});
