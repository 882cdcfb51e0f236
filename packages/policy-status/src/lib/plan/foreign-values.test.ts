import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { anyStatus, attempt, fail, odd } from '../foreign-values.fixture.ts';
import { impact } from '../impact/impact.ts';
import { reportPolicies } from '../report/policy-report.ts';
import { planStatus } from './plan-status.ts';

const controllerName = 'example.com/gateways';
const options = { controllerName, now: new Date('2026-01-02T03:04:05Z') };
const id = {
  edge: 'gateway.gateway.networking.k8s.io:shop/edge',
  p: 'timeoutpolicy.example.com:shop/p',
};

const edge = gateway('edge');
const cart = route('cart', ['edge']);
const policy = timeouts('p', ['Gateway edge'], { request: 1 });

describe('planStatus on statuses that are anything', () => {
  it.each([edge, cart, policy])('plans for $kind, and for the others', (resource) => {
    for (const status of odd) {
      const resources = [edge, cart, policy].map((it) => (it === resource ? { ...it, status } : it));
      for (const rendering of ['ancestors', 'conditions'] as const) {
        const { writes } = planStatus(cluster(TimeoutPolicy, ...resources).effective, { ...options, rendering });
        expect(writes.map(({ locator }) => locator)).toEqual(expect.arrayContaining([id.p, id.edge]));
        expect(() => JSON.stringify(writes)).not.toThrow();
      }
    }
  });

  it('refuses a status that is not JSON, and plans for the others', () => {
    const status = Object.defineProperty({}, 'ancestors', { get: fail, enumerable: true });
    const { writes, refused } = planStatus(
      cluster(TimeoutPolicy, edge, cart, { ...policy, status }).effective,
      options,
    );
    expect(writes.map(({ locator }) => locator)).toContain(id.edge);
    expect(writes.map(({ locator }) => locator)).not.toContain(id.p);
    expect(refused).toEqual([
      {
        resource: id.p,
        message: expect.stringContaining('it cannot be written, because it is not JSON: /status'),
      },
    ]);
  });

  it('never fails with any other error, nor do impacts', () => {
    fc.assert(
      fc.property(fc.constantFrom(edge, cart, policy), anyStatus, (resource, status) => {
        const changed = { ...resource, status } as KubernetesObject;
        const { topology, effective } = cluster(TimeoutPolicy, edge, cart, policy);
        attempt(() => impact(effective, { upsert: [changed] }));
        attempt(() => topology.apply({ upsert: [changed] }));
        const views = effectivePolicies(topology, TimeoutPolicy);
        attempt(() => planStatus(views, options));
        attempt(() => planStatus(views, { ...options, rendering: 'conditions' }));
      }),
      { numRuns: 300 },
    );
  });
});

describe('names and fields with characters that cannot be seen', () => {
  it('are escaped in statuses and reports', () => {
    const hostile = 'p\u001b[2J\n\u202e';
    const named = { ...policy, metadata: { ...policy.metadata, name: hostile } };
    const winner = timeouts(hostile, ['HTTPRoute cart'], { request: 3, '\u0007x': 1 });
    const loser = timeouts('q', ['HTTPRoute cart', `Gateway ${hostile}`], { request: 2 });
    for (const resources of [
      [named, loser],
      [winner, loser],
    ]) {
      const { effective } = cluster(TimeoutPolicy, edge, cart, ...resources);
      const { writes } = planStatus(effective, options);
      const messages = JSON.stringify(writes).match(/"message":"(?:[^"\\]|\\.)*"/g) ?? [];
      const texts = messages.map((it): string => JSON.parse(it.slice('"message":'.length)));
      const reports = reportPolicies(effective).map(({ message }) => message);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of [...texts, ...reports]) {
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }
    }
  });
});

describe('effectivePolicies', () => {
  it('leaves out only the policy with an unreadable spec', () => {
    const spec = { ...(policy.spec as object), request: new Proxy({}, { get: fail }) };
    const bad = { ...policy, metadata: { ...policy.metadata, name: 'bad' }, spec };
    const { effective } = cluster(TimeoutPolicy, edge, cart, policy, bad);
    expect([...effective].map((it) => it.spec)).toEqual([{ request: 1 }]);
    expect(effective.issues.map(({ resource }) => resource)).toEqual(
      expect.arrayContaining(['timeoutpolicy.example.com:shop/bad']),
    );
  });
});
