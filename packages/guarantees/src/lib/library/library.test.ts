import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  everyRequestMeets,
  formatRequest,
  type Guarantee,
  limitsAtMost,
  noPolicyWithoutEffect,
  noWildcardWithout,
  overridesPrevail,
  tlsOnListeners,
  verifiedKind,
  verify,
} from '../../index.ts';

const LimitPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.object({ limit: z.number() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});
const kind = 'LimitPolicy';
const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
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
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [LimitPolicy] });
  topology.apply({ upsert: [edge, ...objects] });
  const [verdict] = verify({ topology, kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))] }, [guarantee]);
  expect(verdict?.answer).not.toBe('undecided');
  return [...(verdict?.counterexamples ?? []).map(formatRequest), ...(verdict?.policies ?? []).map((it) => it.policy)];
}

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
  ])('finds out about %s', (_, guarantee, objects, expected) => {
    expect(breaking(guarantee, objects)).toEqual(expected);
  });
});
