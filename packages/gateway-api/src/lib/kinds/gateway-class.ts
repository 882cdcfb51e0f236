import { defineTargetKind } from '@policy-machinery/topology';
import { gatewayGroup } from '../fields/group.ts';
import { faultsOfGatewayClasses } from '../fields/shapes.ts';

/** A GatewayClass: the least specific level of ingress. */
export const GatewayClass = defineTargetKind({
  group: gatewayGroup,
  kind: 'GatewayClass',
  plural: 'gatewayclasses',
  versions: ['v1', 'v1beta1'],
  scope: 'Cluster',
  faults: faultsOfGatewayClasses,
});
