import { Gateway, GRPCRoute, HTTPRoute } from '@policy-machinery/gateway-api';
import { fieldWise } from '@policy-machinery/merge';
import { definePolicyKind, nginxGatewayFabric } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const duration = z.string().regex(/^[0-9]{1,4}(ms|s|m|h)?$/, 'expected a duration of NGINX such as 30s');
const size = z.string().regex(/^[0-9]{1,4}[kmg]?$/, 'expected a size of NGINX such as 10m');

/** One directive of NGINX with two parameters: a policy that sets one of them sets both. */
const timeout = z
  .strictObject({ server: duration, header: duration })
  .partial()
  .refine(({ server, header }) => header === undefined || server !== undefined, 'header needs server beside it');

/** How NGINX treats clients: all fields of `v1alpha1`. */
export const ClientSettingsPolicy = definePolicyKind({
  ...nginxGatewayFabric({ strategy: fieldWise({ at: { '/keepAlive/timeout': 'replace' } }) }),
  group: 'gateway.nginx.org',
  version: 'v1alpha1',
  kind: 'ClientSettingsPolicy',
  targets: [Gateway, HTTPRoute, GRPCRoute],
  effectiveTargets: [HTTPRoute, GRPCRoute],
  // The status has one entry, for the target.
  ancestors: [],
  spec: z
    .strictObject({
      body: z.strictObject({ maxSize: size, timeout: duration }).partial(),
      keepAlive: z
        .strictObject({ requests: z.int().nonnegative(), time: duration, timeout, minTimeout: duration })
        .partial(),
    })
    .partial(),
});
