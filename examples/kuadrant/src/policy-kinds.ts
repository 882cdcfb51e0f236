import { celConditions } from '@policy-machinery/cel';
import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, kuadrant } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const targets = { targets: [Gateway, HTTPRoute], effectiveTargets: [HTTPRoute] };
const conditions = celConditions();

const named = z.record(z.string(), z.record(z.string(), z.json()));
const phases = z.strictObject({
  authentication: named,
  metadata: named,
  authorization: named,
  response: named,
  callbacks: named,
});

/** Who may use a route: rules by phase and name. */
export const AuthPolicy = definePolicyKind({
  ...kuadrant({ rules: ['rules.*'], conditions }),
  ...targets,
  group: 'kuadrant.io',
  version: 'v1',
  kind: 'AuthPolicy',
  spec: z.strictObject({ rules: phases.partial() }).partial(),
});

const rate = z.strictObject({ limit: z.int().nonnegative(), window: z.string() });

/** How often a route may be used: limits by name. */
export const RateLimitPolicy = definePolicyKind({
  ...kuadrant({ rules: ['limits'], conditions }),
  ...targets,
  group: 'kuadrant.io',
  version: 'v1',
  kind: 'RateLimitPolicy',
  spec: z.strictObject({ limits: z.record(z.string(), z.strictObject({ rates: z.array(rate) })) }).partial(),
});
