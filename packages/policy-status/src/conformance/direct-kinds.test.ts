import { Gateway, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { formatTarget } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cluster, gateway, route, timeouts } from '../lib/cluster.fixture.ts';
import { reportPolicies } from '../lib/report/policy-report.ts';

/** A kind whose policies affect only what they target, on several kinds, some below others. */
const TimeoutPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  policyClass: 'Direct',
  targets: [Namespace, Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule, Service],
  spec: z.object({ request: z.number() }),
});

const base = [gateway('edge'), gateway('inner'), route('cart', ['edge', 'inner']), route('other', ['edge'])];
const on = (name: string, target: string, request: number) => timeouts(name, [target], { request });

function answersOf(...policies: readonly KubernetesObject[]) {
  const { effective } = cluster(TimeoutPolicy, ...base, ...policies);
  const specs = [...effective].map(({ target, spec }) => [formatTarget(target), spec.request]);
  const affected = effective.affected.map(({ target, policies }) => [
    formatTarget(target),
    policies.map(({ policy }) => policy.resource.metadata.name).join(' '),
  ]);
  const reports = reportPolicies(effective).map(({ policy, outcome, ancestors }) => [
    policy.resource.metadata.name,
    [outcome, ...ancestors.map(({ ancestorRef: { kind, name } }) => `${kind} ${name}`)],
  ]);
  return {
    specs: Object.fromEntries(specs),
    affected: Object.fromEntries(affected),
    reports: Object.fromEntries(reports),
  };
}

describe('policies of a direct kind on targets of several kinds', () => {
  it('apply to their target with its sections, and to nothing below', () => {
    const { specs, affected } = answersOf(on('p', 'Gateway edge', 1));
    expect(specs).toEqual({ 'Gateway shop/edge': 1, 'Gateway shop/edge#https': 1 });
    expect(affected).toEqual({ 'Gateway shop/edge': 'p', 'Gateway shop/edge#https': 'p' });
  });

  it('do not meet on a Gateway and on a route below it: both are enforced, each with an entry for each of its Gateways', () => {
    const { specs, reports } = answersOf(on('p', 'Gateway edge', 1), on('q', 'HTTPRoute cart', 2));
    expect(specs).toMatchObject({ 'Gateway shop/edge': 1, 'HTTPRoute shop/cart': 2, 'HTTPRoute shop/cart#pay': 2 });
    expect(specs).not.toHaveProperty('HTTPRoute shop/other');
    expect(reports).toEqual({
      p: ['enforced', 'Gateway edge'],
      q: ['enforced', 'Gateway edge', 'Gateway inner'],
    });
  });

  it('are in conflict on one target, and the older one stays', () => {
    const { specs, reports } = answersOf(on('p', 'HTTPRoute cart', 1), on('q', 'HTTPRoute cart', 2));
    expect(specs).toMatchObject({ 'HTTPRoute shop/cart': 1 });
    expect(reports).toMatchObject({
      p: ['enforced', 'Gateway edge', 'Gateway inner'],
      q: ['conflicted', expect.anything(), expect.anything()],
    });
  });

  it('apply once to a target that many paths lead to', () => {
    const { effective } = cluster(TimeoutPolicy, ...base, on('g', 'Gateway edge', 1), on('p', 'HTTPRoute cart', 2));
    const [first, ...others] = effective.of('httproute.gateway.networking.k8s.io:shop/cart');
    expect([first?.pathCount, others]).toEqual([2n, []]);
  });

  it('do not reach the objects of a Namespace that they target', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const { effective } = cluster(TimeoutPolicy, namespace, ...base, on('p', 'Namespace shop', 1));
    expect([...effective].map(({ target }) => formatTarget(target))).toEqual(['Namespace shop']);
  });
});
