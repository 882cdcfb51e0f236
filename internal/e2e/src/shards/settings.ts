import type { DeclaredController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { TimeoutPolicy } from '../shop.ts';

/** The namespace of the replicas, and the name of their account. */
export const home = 'sharing';

/** The controller, with the usual times of Leases. */
export const declared = {
  name: 'timeouts.example.com/controller',
  targetKinds: gatewayApi(),
  policyKinds: [TimeoutPolicy],
  shards: { namespace: home, name: home },
} satisfies DeclaredController;

/** How long others wait for a replica after they have seen its last renewal, in milliseconds. */
export const leaseDuration = 10_000;
