import { specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { GatewayClass } from './gateway-class.ts';
import { gatewayGroup } from './group.ts';
import { isSameKind } from './hierarchy.ts';
import { listenerSection } from './listeners.ts';
import { faultsOfGateways } from './shapes.ts';

/** A Gateway. Its sections are its listeners; it stands beneath the class that `gatewayClassName` names (H-09). */
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
    if (name === undefined) return;
    const { group, kind } = GatewayClass;
    yield { direction: 'up', to: { group, kind, name }, pointer: '/spec/gatewayClassName' };
  },
});
