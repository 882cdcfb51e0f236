import { effectivePolicies } from '@policy-machinery/effective-policy';
import { type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reviewAdmission } from '../admission/review-admission.ts';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { impact } from '../impact/impact.ts';
import { reportPolicies } from '../report/policy-report.ts';
import { planStatus } from './plan-status.ts';

const controllerName = 'example.com/gateways';
const options = { controllerName, now: new Date('2026-01-02T03:04:05Z') };
const id = {
  edge: 'gateway.gateway.networking.k8s.io:shop/edge',
  p: 'timeoutpolicy.example.com:shop/p',
};

const circular: Record<string, unknown> = { type: 'Accepted' };
circular.self = circular;
const fail = (): never => {
  throw new Error('no entry');
};
const condition = { type: 'Accepted', status: 'True', reason: 'A', message: '', lastTransitionTime: 'x' };
const conditionLists: readonly unknown[] = [5, 'a', null, {}, [null, 5, 'a', {}, [], { type: 5 }], [condition]];
const entries = conditionLists.flatMap((conditions): readonly unknown[] => [
  { ancestorRef: 5, parentRef: 5, controllerName, conditions },
  { ancestorRef: { name: 'edge' }, parentRef: { name: 'edge' }, name: 'https', controllerName, conditions },
  { ancestorRef: { name: {} }, parentRef: { name: [] }, name: 5, controllerName: 5, conditions },
]);
/** Statuses that are JSON, and conform to no schema. */
const odd: readonly unknown[] = [
  ...[null, 5, 'text', true, [], [{}]],
  ...conditionLists.map((conditions) => ({ conditions })),
  ...['ancestors', 'parents', 'listeners'].flatMap((field) =>
    [5, 'a', null, {}, entries].map((value) => ({ [field]: value })),
  ),
];
/** Statuses that are no JSON. */
const foreign: readonly unknown[] = [
  { conditions: [circular] },
  { ancestors: [{ ancestorRef: circular, controllerName, conditions: [circular] }], other: circular },
  { parents: [{ parentRef: circular, controllerName, conditions: [circular] }], conditions: new Map() },
  { conditions: new Proxy([{}], { get: fail }) },
  Object.defineProperty({}, 'conditions', { get: fail, enumerable: true }),
  { ancestors: [1n], parents: [Symbol('a')], listeners: [() => 1], conditions: [new Date(0)] },
  new Proxy({}, { get: fail }),
];

const edge = gateway('edge');
const cart = route('cart', ['edge']);
const policy = timeouts('p', ['Gateway edge'], { request: 1 });

/** Its own error, or none. */
const attempt = <Value>(run: () => Value): Value | undefined => {
  try {
    return run();
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyMachineryError);
    return undefined;
  }
};

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

  it('never fails with any other error, nor do admission reviews and impacts', () => {
    const statuses = fc.oneof(
      fc.constantFrom(...odd, ...foreign),
      fc.anything({ withBigInt: true, withDate: true, withSparseArray: true }),
    );
    fc.assert(
      fc.property(fc.constantFrom(edge, cart, policy), statuses, (resource, status) => {
        const changed = { ...resource, status } as KubernetesObject;
        const { topology, effective } = cluster(TimeoutPolicy, edge, cart, policy);
        attempt(() => reviewAdmission(effective, changed));
        attempt(() => reviewAdmission(effective, status as KubernetesObject));
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
  it('are escaped in statuses, reports and admission reviews', () => {
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
      const { warnings, conflicts } = reviewAdmission(effective, cart);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of [...texts, ...reports, ...warnings, ...conflicts]) {
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
