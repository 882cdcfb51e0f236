import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { customStrategy } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAdmission } from '../../index.ts';
import { gateway, httpRoute, policy, reviewOf } from './world.fixture.ts';

/**
 * Reviews an edit in a world with a policy on a Gateway and one on each of its routes.
 *
 * @param routes The number of routes.
 * @param edited The name of the policy that is edited: `on-gateway`, or `on-route-0`.
 * @returns How many specs are read and merged for the review.
 */
async function workOf(routes: number, edited: string): Promise<{ readonly reads: number; readonly merges: number }> {
  const work = { reads: 0, merges: 0 };
  const spec = z.strictObject({ limit: z.number() }).partial();
  const counted = customStrategy<z.infer<typeof spec>>({
    defaults(challenger, { limit = Number.POSITIVE_INFINITY }) {
      work.merges += 1;
      challenger.limit = Math.min(challenger.limit ?? Number.POSITIVE_INFINITY, limit);
    },
  });
  const QuotaPolicy = definePolicyKind({
    group: 'example.com',
    version: 'v1',
    kind: 'QuotaPolicy',
    targets: [Gateway, HTTPRoute],
    effectiveTargets: [HTTPRoute],
    spec: spec.superRefine(() => {
      work.reads += 1;
    }),
    stanzas: defaultsAndOverrides({ strategies: { counted } }),
  });
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [QuotaPolicy] });
  const edge = gateway('edge');
  const below = Array.from({ length: routes }, (_, index) => httpRoute(`r${index}`, { parents: [edge] }));
  const onTarget = (name: string, on: KubernetesObject, limit: number) =>
    policy(QuotaPolicy, name, { on, spec: { defaults: { limit } } });
  const first = onTarget('on-gateway', edge, 100);
  const others = below.map((route, index) => onTarget(`on-route-${index}`, route, index));
  topology.apply({ upsert: [edge, ...below, first, ...others] });
  const admission = createAdmission({ views: effectivePolicies(topology, QuotaPolicy) });
  await admission.warmUp();
  const stored = [first, ...others].find(({ metadata }) => metadata.name === edited);
  if (stored === undefined) throw new Error(`there is no ${edited}`);
  const object = onTarget(edited, edited === 'on-gateway' ? edge : (below[0] ?? edge), 50);
  Object.assign(work, { reads: 0, merges: 0 });
  await admission.review(reviewOf(object, { operation: 'UPDATE', oldObject: stored }));
  return work;
}

describe('a review', () => {
  it('of a policy on a route reads and merges no more with 400 policies than with 4', async () => {
    const work = await workOf(400, 'on-route-0');
    expect(work).toEqual(await workOf(4, 'on-route-0'));
    expect(work.reads).toBeLessThan(20);
  });

  it('of a policy on a Gateway reads no other policy, and merges a few times for each route below', async () => {
    const work = await workOf(400, 'on-gateway');
    expect(work.reads).toBe((await workOf(4, 'on-gateway')).reads);
    expect(work.merges).toBeLessThanOrEqual(4 * 400);
  });
});
