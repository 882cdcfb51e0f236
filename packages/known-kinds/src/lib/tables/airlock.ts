import { HTTPRoute } from '@policy-machinery/gateway-api';
import { kindsOf } from './row.ts';

const kinds = [
  'AccessControlPolicy',
  'ContentSecurityPolicy',
  'CustomResponsePolicy',
  'EnvoyExtensionPolicy',
  'ICAPPolicy',
  'LogMaskingPolicy',
  'RateLimitPolicy',
];

/** The policy kinds of Airlock Microgateway. */
export const airlockKinds = kindsOf(
  {
    system: 'Airlock Microgateway',
    controllers: ['microgateway.airlock.com'],
    group: 'microgateway.airlock.com',
    versions: ['v1alpha1'],
    source: 'https://github.com/airlock/microgateway/tree/main/deploy/charts/airlock-microgateway/crds',
  },
  kinds.map((kind) => ({ kind, policyClass: 'Direct', targets: [HTTPRoute], targetFields: { targetRefs: [] } })),
);
