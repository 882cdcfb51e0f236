import { configured } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { RateLimitPolicy, TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';

export const kinds = [TimeoutPolicy, RateLimitPolicy];

/** What the program and its manifests have in common. */
export const declared = {
  name: 'policies.shop.example.com/controller',
  targetKinds: gatewayApi(),
  policyKinds: kinds.map((kind) => configured<unknown>(kind, { definition: { categories: ['policies'] } })),
  writes: { perSecond: 100, burst: 200 },
  lease: { namespace: 'policies-system' },
  probes: { port: 8081 },
};
