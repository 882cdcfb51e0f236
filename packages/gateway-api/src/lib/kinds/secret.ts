import { defineTargetKind } from '@policy-machinery/topology';

/**
 * A Secret. It is not among the kinds of `gatewayApi()`, because policies seldom target one: add it where statuses of listeners are to
 * say whether their certificates exist.
 */
export const Secret = defineTargetKind({ group: '', kind: 'Secret' });
