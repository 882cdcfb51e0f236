import { HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, gloo } from '@policy-machinery/policy-kind';
import { z } from 'zod';

/** Options of routes: some of the fields that Gloo Gateway has. */
export const RouteOption = definePolicyKind({
  ...gloo(),
  group: 'gateway.solo.io',
  version: 'v1',
  kind: 'RouteOption',
  targets: [HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.strictObject({
    options: z
      .strictObject({
        timeout: z.string(),
        retries: z.looseObject({ numRetries: z.int() }),
        faults: z.looseObject({}),
        prefixRewrite: z.string(),
      })
      .partial(),
  }),
});
