import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, customStrategy, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import * as z from 'zod';

const common = {
  group: 'product.example.com',
  version: 'v1',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
} as const;

/** How long requests may take. Policies on routes refine those on Gateways. */
export const TimeoutPolicy = definePolicyKind({
  ...common,
  kind: 'TimeoutPolicy',
  spec: z.strictObject({ request: z.string(), idle: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch, atomic } }),
});

const quota = z.strictObject({ perSecond: z.number() }).partial();

/** The product's own rule: of all quotas on the way to a route, the lowest counts. */
const lowest = customStrategy<z.infer<typeof quota>>({
  defaults(challenger, { perSecond = Number.POSITIVE_INFINITY }) {
    challenger.perSecond = Math.min(challenger.perSecond ?? Number.POSITIVE_INFINITY, perSecond);
  },
});

/** How many requests are let through. */
export const QuotaPolicy = definePolicyKind({
  ...common,
  kind: 'QuotaPolicy',
  spec: quota,
  stanzas: defaultsAndOverrides({ strategies: { lowest } }),
});

/** The Secret with the key that tokens are checked with. */
export const TokenPolicy = definePolicyKind({
  ...common,
  kind: 'TokenPolicy',
  spec: z.strictObject({ issuer: z.string(), secretName: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { atomic } }),
});
