import { isSectionKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { knownKinds } from '../known-kinds.ts';
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

  const forms = knownKinds.flatMap((known) =>
    (['targetRef', 'targetRefs'] as const)
      .filter((form) => known.targetFields !== undefined && !(form in known.targetFields))
      .map((form) => ({ ...known, form })),
  );

  it.each(forms)(
    'is reported, and names no target: $form of $kind in $group',
    ({ group, kind, versions, targets, form }) => {
      const [target] = targets.map((it) => (isSectionKind(it) ? it.of : it));
      const reference = { group: target?.group, kind: target?.kind, name: 'x' };
      const [found, policy] = [target?.scope === 'Cluster' ? 'x' : 'a/x', 'a/p'];
      const { specs, issues } = worldOf(
        object(`${target?.group === '' ? '' : `${target?.group}/`}v1 ${target?.kind}`, found, {}),
        object(`${group}/${versions[0]} ${kind}`, policy, {
          [form]: form === 'targetRef' ? reference : [reference],
          extra: 1,
        }),
      );
      expect(specs).toEqual({});
      expect(issues).toContainEqual(expect.objectContaining({ code: 'dropped-field', pointer: `/spec/${form}` }));
    },
  );

  it('leaves a policy of Istio for its whole namespace, as API servers store it', () => {
    const { specs, issues } = worldOf(
      namespace('a'),
      object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } }),
      object('security.istio.io/v1 PeerAuthentication', 'a/p', {
        targetRefs: [ref('Gateway', 'g')],
        mtls: { mode: 'STRICT' },
      }),
    );
    expect(specs).toEqual({ 'Pod a/x': { mtls: { mode: 'STRICT' } } });
    expect(issues).toMatchObject([{ code: 'dropped-field', severity: 'warning', pointer: '/spec/targetRefs' }]);
  });

  it('leaves a policy of kgateway in force where a rule names the policy', () => {
    const extensionRef = { group: 'gateway.kgateway.dev', kind: 'TrafficPolicy', name: 'p' };
    const named = { name: 'named', filters: [{ type: 'ExtensionRef', extensionRef }] };
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r', [{ name: 'main' }, named]),
      object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', 'a/p', { targetRef: onRoute, timeouts: { request: '5s' } }),
    );
    expect(specs).toEqual({ 'HTTPRoute a/r#named': { timeouts: { request: '5s' } } });
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it('is read in versions that the definition no longer has', () => {
    const targetRef = { group: '', kind: 'Service', name: 's' };
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r', [{ name: 'main', backendRefs: [{ name: 's', port: 80 }] }]),
      object('v1 Service', 'a/s', { ports: [{ name: 'http', port: 80 }] }),
      object('gateway.networking.k8s.io/v1alpha2 BackendTLSPolicy', 'a/p', { targetRef, tls: { hostname: 'x' } }),
    );
    expect(Object.keys(specs)).toEqual(['Service a/s#http']);
  });

  it('is dropped beside a target, as by an API server', () => {
    const { outcomes, issues } = worldOf(...base, rateLimit({ targetRef: onRoute, targetRefs: [ref('Gateway', 'g')] }));
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
    expect(issues).toMatchObject([{ code: 'dropped-field', severity: 'warning', pointer: '/spec/targetRefs' }]);
  });

  it('is not a target in another namespace', () => {
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

  it('does not narrow a selection', () => {
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
