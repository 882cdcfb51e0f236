import { defineTargetKind } from '@policy-machinery/topology';

/**
 * A ConfigMap. It is not among the kinds of `gatewayApi()`, because policies seldom target one: add it where statuses are to say whether the CA
 * certificates of Gateways exist.
 */
export const ConfigMap = defineTargetKind({ group: '', kind: 'ConfigMap' });
