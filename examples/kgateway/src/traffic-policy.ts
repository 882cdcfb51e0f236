import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { append } from '@policy-machinery/merge';
import { definePolicyKind, kgateway } from '@policy-machinery/policy-kind';
import { isJsonObject } from '@policy-machinery/resource';
import { z } from 'zod';

const headers = z.strictObject({ set: z.array(z.strictObject({ name: z.string(), value: z.string() })) });
const tokenBucket = z.strictObject({ maxTokens: z.int(), fillInterval: z.string() });

/** How traffic is treated: some of the fields that kgateway has. */
export const TrafficPolicy = definePolicyKind({
  ...kgateway({ deep: { '/transformation/*/set': append } }),
  group: 'gateway.kgateway.dev',
  version: 'v1alpha1',
  kind: 'TrafficPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
  extensionRefs: true,
  spec: z
    .strictObject({
      cors: z.strictObject({ allowOrigins: z.array(z.string()) }),
      csrf: z.strictObject({ percentageEnabled: z.int() }),
      rateLimit: z.strictObject({ local: z.strictObject({ tokenBucket }) }),
      timeouts: z.strictObject({ request: z.string() }),
      transformation: z.strictObject({ request: headers, response: headers }).partial(),
    })
    .partial(),
  // Fields of Gateway API in a rule prevail over all policies.
  ownValue: ({ section }) => {
    const timeouts = section?.value.timeouts;
    return isJsonObject(timeouts) && typeof timeouts.request === 'string'
      ? { timeouts: { request: timeouts.request } }
      : undefined;
  },
});
