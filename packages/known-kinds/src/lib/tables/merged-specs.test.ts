import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { crd, references, withRules } from '../crd/crd.fixture.ts';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const text = { type: 'string' };
const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const slowStart = "self.type == 'ConsistentHash' ? !has(self.slowStart) : true";
const number = { type: 'integer' };
const inOrder = 'self.low <= self.high';
const either = '!has(self.requestBuffer) || !has(self.httpUpgrade)';

/** The definition of Envoy Gateway's BackendTrafficPolicy, as far as these tests go. */
function definition() {
  const { spec, ...rest } = crd({
    kind: 'BackendTrafficPolicy',
    versions: ['v1alpha1'],
    fields: {
      targetRefs: references([`self.all(t, t.kind in ['Gateway', 'HTTPRoute'])`]),
      mergeType: text,
      loadBalancer: {
        type: 'object',
        required: ['type'],
        properties: { type: text, consistentHash: any, slowStart: any },
        ...withRules([slowStart]),
      },
      timeout: any,
      healthCheck: {
        type: 'object',
        properties: { passive: { type: 'object', properties: { low: number, high: number }, ...withRules([inOrder]) } },
      },
      requestBuffer: any,
      httpUpgrade: any,
    },
    spec: withRules([either, '!has(self.mergeType) || has(self.targetRefs)']),
  });
  return { ...rest, spec: { ...(spec as object), group: 'gateway.envoyproxy.io' } };
}

const policy = (path: string, target: string, spec: object, age = 0) =>
  object(
    'gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy',
    path,
    { targetRefs: [target === 'g' ? ref('Gateway', 'g') : ref('HTTPRoute', target)], ...spec },
    { age },
  );

const world = (parent: object, child: object, ...more: readonly KubernetesObject[]) =>
  worldOf(
    definition(),
    gateway('a/g'),
    route('a/r'),
    policy('a/p', 'g', parent),
    policy('a/c', 'r', { mergeType: 'StrategicMerge', ...child }, 1),
    ...more,
  );

const slow = { loadBalancer: { type: 'LeastRequest', slowStart: { window: '30s' } } };
const hash = { loadBalancer: { type: 'ConsistentHash', consistentHash: { type: 'SourceIP' } } };

describe('a merged spec that the definition of its kind refuses', () => {
  const told = `the merged spec is refused: broken: ${slowStart}; a/c sets /loadBalancer/type, and a/p sets /loadBalancer/slowStart`;

  it('is an issue of both policies, with the rule and the origins of the fields that it is about', () => {
    const [effective] = world(slow, hash).effective;
    expect(effective?.issues).toEqual([
      {
        code: 'refused-when-merged',
        severity: 'error',
        message: told,
        resource: 'backendtrafficpolicy.gateway.envoyproxy.io:a/c',
        pointer: '/spec/loadBalancer/type',
      },
      {
        code: 'refused-when-merged',
        severity: 'error',
        message: told,
        resource: 'backendtrafficpolicy.gateway.envoyproxy.io:a/p',
        pointer: '/spec/loadBalancer/slowStart',
      },
    ]);
  });

  it('makes neither policy enforced, and is in their messages', () => {
    const { outcomes, messages } = world(slow, hash);
    expect(outcomes).toEqual({ 'a/c': 'partly-enforced', 'a/p': 'partly-enforced' });
    expect(messages['a/c']).toBe(`In force in part. /spec/loadBalancer/type: ${told}.`);
    expect(messages['a/p']).toContain(`/spec/loadBalancer/slowStart: ${told}.`);
  });

  it('is found by rules about the whole spec, except rules about targets', () => {
    const [effective] = world({ requestBuffer: {} }, { httpUpgrade: {} }).effective;
    expect(effective?.issues.map(({ message }) => message)).toEqual([
      `the merged spec is refused: broken: ${either}; a/p sets /requestBuffer, and a/c sets /httpUpgrade`,
      `the merged spec is refused: broken: ${either}; a/p sets /requestBuffer, and a/c sets /httpUpgrade`,
    ]);
  });

  it('is found where the fields are deep inside', () => {
    const [effective] = world(
      { healthCheck: { passive: { high: 3 } } },
      { healthCheck: { passive: { low: 5 } } },
    ).effective;
    expect(effective?.issues.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      `/spec/healthCheck/passive/low: the merged spec is refused: broken: ${inOrder}; a/c sets /healthCheck/passive/low, and a/p sets /healthCheck/passive/high`,
      `/spec/healthCheck/passive/high: the merged spec is refused: broken: ${inOrder}; a/c sets /healthCheck/passive/low, and a/p sets /healthCheck/passive/high`,
    ]);
  });

  it('concerns no policy that sets none of the fields, and no other scope', () => {
    const other = policy('a/o', 'other', { mergeType: 'JSONMerge', timeout: { http: {} } }, 2);
    const { effective, outcomes } = world(slow, hash, route('a/other'), other);
    expect(effective.map(({ issues }) => issues.length).sort()).toEqual([0, 2]);
    expect(outcomes['a/o']).toBe('enforced');
  });

  it.each([
    ['policies that fit', slow, { loadBalancer: { type: 'RoundRobin' } }],
    ['a policy that replaces its parent', slow, { ...hash, mergeType: null }],
    ['policies that set different fields', { timeout: {} }, hash],
  ])('is not found with %s', (_what, parent, child) => {
    const { effective, outcomes } = world(parent, child);
    expect(effective.flatMap(({ issues }) => issues)).toEqual([]);
    expect(outcomes['a/c']).toBe('enforced');
  });
});
