import { HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import { z } from 'zod';

/** A kind that a user declares. */
export default definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'RetryPolicy',
  targets: [HTTPRoute],
  spec: z.object({ attempts: z.number() }),
});
