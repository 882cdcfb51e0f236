import { Gateway, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { retrySchema } from './retry-schema.ts';

/** How requests to Services are retried: set on a rule, a route, all routes of a namespace, or a Gateway. */
export const RetryPolicy = definePolicyKind({
  group: 'retries.example.com',
  version: 'v1',
  kind: 'RetryPolicy',
  targets: [Gateway, Namespace, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [Service],
  namespaceLevels: [HTTPRoute],
  stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
  spec: retrySchema,
});
