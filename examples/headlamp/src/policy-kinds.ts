import { Gateway, GRPCRoute, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, type PolicyKind } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const targets = [
  ...[Gateway, Gateway.sections.listener],
  ...[HTTPRoute, HTTPRoute.sections.rule, GRPCRoute, GRPCRoute.sections.rule],
];

/** The policy kinds that the plugin shows: here those of the quickstart. Declare yours. */
export const policyKinds: readonly PolicyKind<unknown>[] = [
  { kind: 'TimeoutPolicy', spec: z.looseObject({}) },
  { kind: 'RateLimitPolicy', spec: z.looseObject({}) },
].map((definition) =>
  definePolicyKind({
    ...definition,
    ...{ group: 'policies.shop.example.com', version: 'v1', targets },
    effectiveTargets: [HTTPRoute.sections.rule, GRPCRoute.sections.rule],
    stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
  }),
);
