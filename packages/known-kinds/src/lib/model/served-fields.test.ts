import { describe, expect, it } from 'vitest';
import { gateway, namespace, object, ref, route, worldOf } from '../tables/world.fixture.ts';

const base = [gateway('a/g'), route('a/r')];
const onRoute = ref('HTTPRoute', 'r');
const retry = { numRetries: 1 };
const traffic = (spec: object) =>
  object('gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy', 'a/p', { retry, ...spec });
const limits = { limits: { all: { rates: [{ limit: 1, window: '5s' }] } } };
const rateLimit = (spec: object) => object('kuadrant.io/v1 RateLimitPolicy', 'a/p', { ...limits, ...spec });

describe('a field with targets that the definition of the kind does not have', () => {
  it.each([
    ['a list, where there is one target', rateLimit({ targetRefs: [onRoute] }), '/spec/targetRefs', 'spec.targetRef'],
    [
      'one target, where there is a list',
      object('gateway.nginx.org/v1alpha1 ProxySettingsPolicy', 'a/p', { targetRef: onRoute }),
      '/spec/targetRef',
      'spec.targetRefs',
    ],
  ])('leaves the policy without a target: %s', (_, policy, pointer, advice) => {
    const { specs, outcomes, issues } = worldOf(...base, policy);
    expect(specs).toEqual({});
    expect(outcomes).toEqual({ 'a/p': 'invalid' });
    expect(issues).toMatchObject([{ code: 'dropped-field', severity: 'error', pointer }]);
    expect(issues[0]?.message).toContain(`name targets in ${advice}`);
  });

  it('is dropped beside a target, as by an API server', () => {
    const { outcomes, issues } = worldOf(...base, rateLimit({ targetRef: onRoute, targetRefs: [ref('Gateway', 'g')] }));
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
    expect(issues).toMatchObject([{ code: 'dropped-field', severity: 'warning', pointer: '/spec/targetRefs' }]);
  });

  it('is no target in another namespace', () => {
    const { specs, issues } = worldOf(
      namespace('b'),
      route('b/r'),
      ...base,
      traffic({ targetRefs: [{ ...onRoute, namespace: 'b' }] }),
    );
    expect(specs).toEqual({ 'HTTPRoute a/r#main': { retry } });
    expect(issues).toMatchObject([
      { code: 'dropped-field', severity: 'warning', pointer: '/spec/targetRefs/0/namespace' },
    ]);
  });

  it('does not narrow what a selector selects', () => {
    const selector = { kind: 'HTTPRoute', matchLabels: { app: 'x' }, sectionName: 'main' };
    const rules = [{ name: 'main' }, { name: 'other' }];
    const { specs, issues } = worldOf(
      gateway('a/g'),
      route('a/r', rules, { labels: { app: 'x' } }),
      traffic({ targetSelectors: [selector] }),
    );
    expect(Object.keys(specs)).toEqual(['HTTPRoute a/r#main', 'HTTPRoute a/r#other']);
    expect(issues).toMatchObject([
      { code: 'dropped-field', severity: 'warning', pointer: '/spec/targetSelectors/0/sectionName' },
    ]);
  });

  it('may be null', () => {
    const { outcomes, issues } = worldOf(
      ...base,
      rateLimit({ targetRef: { ...onRoute, namespace: null }, targetRefs: null }),
    );
    expect({ outcomes, issues }).toEqual({ outcomes: { 'a/p': 'enforced' }, issues: [] });
  });
});
