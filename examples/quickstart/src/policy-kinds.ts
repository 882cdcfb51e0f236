import { Gateway, GRPCRoute, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import * as z from 'zod';

const targets = [
  Gateway,
  Gateway.sections.listener,
  HTTPRoute,
  HTTPRoute.sections.rule,
  GRPCRoute,
  GRPCRoute.sections.rule,
];
const effectiveTargets = [HTTPRoute.sections.rule, GRPCRoute.sections.rule];
const stanzas = defaultsAndOverrides({ strategies: { atomic, patch } });

const duration = z.string().regex(/^([0-9]+(h|m|s|ms))+$/, 'expected a duration such as 30s or 1m30s');

/** How long requests may take. */
export const TimeoutPolicy = definePolicyKind({
  group: 'policies.shop.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets,
  effectiveTargets,
  stanzas,
  spec: z.strictObject({ request: duration, backendRequest: duration, idle: duration }).partial(),
});

/** How many requests are admitted, by the name of each limit. */
export const RateLimitPolicy = definePolicyKind({
  group: 'policies.shop.example.com',
  version: 'v1',
  kind: 'RateLimitPolicy',
  targets,
  effectiveTargets,
  stanzas,
  spec: z.strictObject({
    limits: z.record(
      z.string(),
      z.strictObject({ requests: z.int().positive(), per: z.enum(['second', 'minute', 'hour']) }),
    ),
  }),
});
