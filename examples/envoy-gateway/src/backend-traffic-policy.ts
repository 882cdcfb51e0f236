import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, envoyGateway } from '@policy-machinery/policy-kind';
import { z } from 'zod';

/** How Envoy connects to backends: some of the fields that Envoy Gateway has. */
export const BackendTrafficPolicy = definePolicyKind({
  ...envoyGateway({ mergeKeys: { '/httpUpgrade': { keys: ['type'] } } }),
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'BackendTrafficPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
  targetSelectors: true,
  spec: z
    .strictObject({
      circuitBreaker: z.strictObject({ maxConnections: z.int() }),
      httpUpgrade: z.array(z.strictObject({ type: z.string() })),
      retry: z
        .strictObject({ numRetries: z.int(), retryOn: z.strictObject({ triggers: z.array(z.string()) }) })
        .partial(),
      timeout: z.strictObject({ http: z.strictObject({ requestTimeout: z.string() }) }),
    })
    .partial(),
});
