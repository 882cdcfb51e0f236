import { Gateway, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const named = { group: 'colors.example.com', version: 'v1', kind: 'ColorPolicy' };
const color = z.strictObject({ color: z.string() }).partial();
const colors = z.strictObject({ colors: z.strictObject({ dark: z.string(), light: z.string() }).partial() }).partial();

/** The kinds above a backend that policies can target. */
const above = { targets: [Gateway, HTTPRoute], effectiveTargets: [Service] };

/** On backends only, with one policy on each: a kind with targets of one kind merges nothing. */
export const Direct = definePolicyKind({ ...named, targets: [Service], spec: color });

/** On Gateways and routes, for backends: a policy applies as a whole or not at all. */
export const DefaultsAndOverrides = definePolicyKind({
  ...gep713(),
  ...named,
  ...above,
  spec: color,
  stanzas: defaultsAndOverrides({ strategies: { atomic } }),
});

/** The same with two colors, which a policy can choose to merge. */
export const MergedSpecs = definePolicyKind({
  ...gep713(),
  ...named,
  ...above,
  spec: colors,
  stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
});
