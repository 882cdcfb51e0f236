import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  canariesAlike,
  everyRequestMeets,
  formatCounterexample,
  formatRequest,
  type Guarantee,
  gatewaysAlike,
  limitsAtMost,
  noPolicyWithoutEffect,
  noWildcardWithout,
  overridesPrevail,
  replay,
  tlsOnListeners,
  verifiedKind,
  verify,
} from '../../index.ts';
import { formatOther } from '../../inner.ts';

const LimitPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule, Service],
  effectiveTargets: [HTTPRoute.sections.rule, Service],
  spec: z.object({ limit: z.number() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});
const kind = 'LimitPolicy';
const { gateway, httpRoute, policy, service } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge', { listeners: ['http', { name: 'https', protocol: 'HTTPS' }] });
const cart = httpRoute('cart', { parents: [edge], hostnames: ['cart.test'] });
const search = httpRoute('search', { parents: [edge], hostnames: ['*.search.test'] });
const limit = (name: string, on: KubernetesObject | readonly [KubernetesObject, string], spec: object) =>
  policy(LimitPolicy, name, { on: on as KubernetesObject, spec: spec as never });
const in2 = (object: KubernetesObject, namespace: string) => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});
const redirect = {
  ...httpRoute('redirect', { parents: [[edge, 'http'] as never] }),
  spec: {
    parentRefs: [{ name: 'edge', sectionName: 'http' }],
    rules: [{ filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https' } }] }],
  },
};

/** The requests that break a guarantee, or the policies. */
function breaking(guarantee: Guarantee, objects: readonly KubernetesObject[]): readonly string[] {
  const topology = createTopology({
    targetKinds: gatewayApi({ dataPlane: { listenerIsolation: 'supported' } }),
    policyKinds: [LimitPolicy],
  });
  topology.apply({ upsert: [edge, ...objects] });
  const [verdict] = verify({ topology, kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))] }, [guarantee]);
  expect(verdict?.answer).not.toBe('undecided');
  const shown = (verdict?.counterexamples ?? []).map((example) => {
    const { other, contender } = example;
    expect(replay(topology, example)?.winner?.route).toBe(contender.route);
    if (other === undefined || verdict === undefined) return formatRequest(example);
    expect(formatCounterexample(verdict, example, { isNamed: () => false })).not.toMatch(/shop|edge|inner|\.test/);
    expect(replay(topology, other)?.winner?.route).toBe(other.takenBy?.route);
    return `${formatRequest(example)}, ${formatOther(verdict, other)}`;
  });
  return [...shown, ...(verdict?.policies ?? []).map((it) => it.policy)];
}

const canary = { name: 'X-Canary', value: 'always' };
const shop = httpRoute('shop', {
  parents: [edge],
  rules: [
    { name: 'next', matches: [{ headers: [canary] }] },
    { name: 'now', matches: ['/'] },
  ],
});
const [now, next] = ['now', 'next'].map((name) => service(name)) as [KubernetesObject, KubernetesObject];
const weighted = httpRoute('weighted', { parents: [edge], backends: [now, next] });
const inner = gateway('inner', { listeners: ['http', { name: 'https', protocol: 'HTTPS' }] });
const both = httpRoute('both', { parents: [edge, inner], hostnames: ['both.test'] });
const found = {
  ...httpRoute('found'),
  spec: {
    parentRefs: [{ name: 'edge' }, { name: 'inner', sectionName: 'http' }, { name: 'inner', sectionName: 'https' }],
    hostnames: ['*.search.test'],
  },
};
const gateways = { names: ['edge', 'inner'] };

const whole = limit('whole', edge, { defaults: { limit: 10 } });
const house = limit('house', edge, { overrides: { limit: 10 } });
const challenger = in2(limit('other', [edge, 'http'], { overrides: { limit: 20 } }), 'shop');

describe('the library', () => {
  it.each<[string, Guarantee, readonly KubernetesObject[], readonly string[]]>([
    ['every request meets a policy', everyRequestMeets({ kind }), [cart, whole], []],
    [
      'a request meets none',
      everyRequestMeets({ kind }),
      [cart, search, limit('one', cart, { limit: 1 })],
      ['GET http://any.search.test/'],
    ],
    [
      'a kind with its group',
      everyRequestMeets({ kind: 'LimitPolicy.policies.example.com', except: [{ hostnames: ['*.search.test'] }] }),
      [cart, search],
      ['GET http://cart.test/'],
    ],
    ['overrides prevail', overridesPrevail({ kind, namespace: 'shop' }), [cart, house], []],
    [
      'an override loses',
      overridesPrevail({ kind, namespace: 'shop' }),
      [cart, house, challenger],
      ['GET http://cart.test/'],
    ],
    [
      'the overrides of others may lose',
      overridesPrevail({ kind, namespace: 'security' }),
      [cart, house, challenger],
      [],
    ],
    ['each policy has effect', noPolicyWithoutEffect(), [cart, whole], []],
    [
      'a policy without a route below',
      noPolicyWithoutEffect({ kind }),
      [cart, whole, limit('lost', httpRoute('gone'), { limit: 1 })],
      ['limitpolicy.policies.example.com:shop/lost'],
    ],
    ['policies of another kind may be without', noPolicyWithoutEffect({ kind: 'Other' }), [whole], []],
    ['a request without TLS', tlsOnListeners(), [cart], ['GET http://cart.test/']],
    ['a redirect to TLS', tlsOnListeners(), [redirect], []],
    ['Gateways that are not public', tlsOnListeners({ gateways: { namespaces: ['infra'] } }), [cart], []],
    ['limits that are low enough', limitsAtMost({ kind, field: 'limit', most: 10 }), [cart, whole], []],
    [
      'a limit that is too high',
      limitsAtMost({ kind, field: 'limit', most: 10 }),
      [cart, search, whole, limit('high', cart, { limit: 11 })],
      ['GET http://cart.test/'],
    ],
    ['a request without a limit', limitsAtMost({ kind, field: 'limit', most: 10 }), [cart], ['GET http://cart.test/']],
    ['a wildcard without a policy', noWildcardWithout({ kind }), [cart, search], ['GET http://any.search.test/']],
    ['a wildcard with a policy', noWildcardWithout({ kind }), [search, limit('one', search, { limit: 1 })], []],
    [
      'every hostname',
      noWildcardWithout({ kind }),
      [httpRoute('all', { parents: [edge] })],
      ['GET http://example.com/'],
    ],
    [
      'a canary without the policy of the stable rule',
      canariesAlike({ kind, headers: ['x-canary'] }),
      [shop, limit('one', [shop, 'now'], { limit: 1 })],
      [
        'GET http://example.com/ x-canary: always, GET http://example.com/ is taken by HTTPRoute shop/shop#now at Gateway shop/edge and meets LimitPolicy shop/one',
      ],
    ],
    [
      'a canary with another policy',
      canariesAlike({ kind: 'LimitPolicy.policies.example.com', headers: ['x-canary'] }),
      [shop, whole, limit('own', [shop, 'next'], { limit: 2 })],
      [
        'GET http://example.com/ x-canary: always, GET http://example.com/ is taken by HTTPRoute shop/shop#now at Gateway shop/edge and meets LimitPolicy.policies.example.com shop/whole',
      ],
    ],
    [
      'a canary with the same policy, once more',
      canariesAlike({ kind, headers: ['x-canary'] }),
      [shop, whole, limit('own', [shop, 'next'], { limit: 10 })],
      [],
    ],
    [
      'a header that is no canary',
      canariesAlike({ kind, headers: ['other'] }),
      [shop, limit('one', [shop, 'now'], { limit: 1 })],
      [],
    ],
    [
      'a weighted canary without the policy of the stable Service',
      canariesAlike({ kind }),
      [weighted, now, next, limit('one', now, { limit: 1 })],
      [
        'GET http://example.com/, GET http://example.com/ is taken by HTTPRoute shop/weighted#rule-1 at Gateway shop/edge, goes to Service shop/now#port-80 and meets LimitPolicy shop/one',
      ],
    ],
    ['a weighted canary with the same policy', canariesAlike({ kind }), [weighted, now, next, whole], []],
    [
      'a Gateway without the policy of the other',
      gatewaysAlike({ kind, gateways, hostnames: ['both.test'] }),
      [inner, both, whole],
      [
        'GET http://both.test/, GET http://both.test/ is taken by HTTPRoute shop/both#rule-1 at Gateway shop/inner and meets no LimitPolicy',
        'GET http://both.test/, GET http://both.test/ is taken by HTTPRoute shop/both#rule-1 at Gateway shop/edge and meets LimitPolicy shop/whole',
      ],
    ],
    [
      'a hostname that one Gateway does not serve',
      gatewaysAlike({ kind, gateways }),
      [inner, both, cart],
      ['GET http://cart.test/, GET http://cart.test/ is taken by no rule at Gateway shop/inner'],
    ],
    [
      'Gateways that treat a hostname alike',
      gatewaysAlike({ kind, gateways, hostnames: ['both.test'] }),
      [inner, both, cart, limit('one', both, { limit: 1 })],
      [],
    ],
    [
      'a listener of one Gateway that takes the hosts and has no route',
      gatewaysAlike({ kind, gateways, hostnames: ['*.search.test'] }),
      [
        gateway('inner', {
          listeners: ['http', { name: 'shop', hostname: 'a.search.test' }, { name: 'https', protocol: 'HTTPS' }],
        }),
        found,
      ],
      ['GET http://a.search.test/, GET http://a.search.test/ is taken by no rule at Gateway shop/inner'],
    ],
  ])('finds out about %s', (_, guarantee, objects, expected) => {
    expect(breaking(guarantee, objects)).toEqual(expected);
  });
});
