import { celConditions } from '@policy-machinery/cel';
import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, kuadrant } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const targets = { targets: [Gateway, HTTPRoute], effectiveTargets: [HTTPRoute] };
const conditions = celConditions();

const named = z.record(z.string(), z.record(z.string(), z.json()));
const denial = z.record(z.string(), z.json());
const phases = z.strictObject({
  authentication: named,
  metadata: named,
  authorization: named,
  response: z
    .strictObject({
      unauthenticated: denial,
      unauthorized: denial,
      success: z.strictObject({ headers: named, filters: named }).partial(),
    })
    .partial(),
  callbacks: named,
});

/** JSON Pointers to the parts of an AuthPolicy that are merged one by one: the two denials in `rules.response`, and named rules elsewhere. */
const authRules = [
  '/patterns',
  '/rules/authentication',
  '/rules/metadata',
  '/rules/authorization',
  '/rules/response',
  '/rules/response/success/headers',
  '/rules/response/success/filters',
  '/rules/callbacks',
];

/** Who may use a route: rules by phase and name. */
export const AuthPolicy = definePolicyKind({
  ...kuadrant({ rules: authRules, conditions }),
  ...targets,
  group: 'kuadrant.io',
  version: 'v1',
  kind: 'AuthPolicy',
  spec: z.strictObject({ patterns: named, rules: phases.partial() }).partial(),
});

const rate = z.strictObject({ limit: z.int().nonnegative(), window: z.string() });

/** How often a route may be used: limits by name. */
export const RateLimitPolicy = definePolicyKind({
  ...kuadrant({ rules: ['/limits'], conditions }),
  ...targets,
  group: 'kuadrant.io',
  version: 'v1',
  kind: 'RateLimitPolicy',
  spec: z.strictObject({ limits: z.record(z.string(), z.strictObject({ rates: z.array(rate) })) }).partial(),
});
