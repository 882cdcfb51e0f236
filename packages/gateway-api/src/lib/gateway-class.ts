import { defineTargetKind } from '@policy-machinery/topology';
import { gatewayGroup } from './group.ts';
import { faultsOfGatewayClasses } from './shapes.ts';

/** A GatewayClass: the least specific level of ingress (H-03). */
export const GatewayClass = defineTargetKind({
  group: gatewayGroup,
  kind: 'GatewayClass',
  plural: 'gatewayclasses',
  versions: ['v1', 'v1beta1'],
  scope: 'Cluster',
  faults: faultsOfGatewayClasses,
});
