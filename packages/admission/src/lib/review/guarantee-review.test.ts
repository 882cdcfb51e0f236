import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { everyRequestMeets, type Guarantee } from '@policy-machinery/guarantees';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { type AdmissionOptions, createAdmission } from '../../index.ts';
import type { AdmissionRequest } from '../answer/admission-envelope.ts';
import { reviewOf, TimeoutPolicy } from './world.fixture.ts';

const shop = createFixtures({ namespace: 'shop' });
const bank = createFixtures({ namespace: 'bank' });
const infra = createFixtures({ namespace: 'infra' });
const allowedRoutes = { namespaces: { from: 'All' } };
const edge = infra.gateway('edge', { listeners: [{ name: 'http', allowedRoutes }] });
const cart = shop.httpRoute('cart', { parents: [edge], hostnames: ['cart.example.com'] });
const vault = bank.httpRoute('vault', { parents: [edge], hostnames: ['vault.example.com'] });
const house = infra.policy(TimeoutPolicy, 'house', { on: edge, spec: { defaults: { request: '9s' } } });
const timed: Guarantee = everyRequestMeets({ name: 'timed', kind: 'TimeoutPolicy' });

/** Returns the answer about a change of one object. */
async function answerTo(
  objects: readonly KubernetesObject[],
  changed: KubernetesObject,
  { request, ...options }: Partial<AdmissionOptions> & { readonly request?: Partial<AdmissionRequest> } = {},
) {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: objects });
  const views = effectivePolicies(topology, TimeoutPolicy);
  const admission = createAdmission({ views, guarantees: [timed], warn: [], ...options });
  const { response } = await admission.review(reviewOf(changed, request));
  expect((await admission.review(reviewOf(changed, request))).response).toEqual(response); // The trial leaves no trace.
  return response;
}

const deletion = { operation: 'DELETE', object: null } as const;
const refuse = 'broken-guarantees' as const;

describe('an admission webhook with guarantees', () => {
  const own = shop.policy(TimeoutPolicy, 'own', { on: cart, spec: { request: '1s' } });

  it('warns of a change that breaks one, with the request that shows it', async () => {
    const request = { ...deletion, oldObject: own };
    const response = await answerTo([edge, cart, own], own, { request });
    expect(response).toEqual({
      uid: 'u-1',
      allowed: true,
      warnings: ['Breaks the guarantee timed: GET http://cart.example.com/ meets no TimeoutPolicy.'],
    });
  });

  it('refuses it, if configured, and names the remedy', async () => {
    const response = await answerTo([edge, vault, own], cart, { refuse });
    expect(response).toMatchObject({ allowed: true });
    const open = await answerTo([edge, vault].slice(0, 1), cart, { refuse });
    const message = [
      'This change would break the guarantee timed (Every request meets a policy of the kind TimeoutPolicy.):',
      'GET http://cart.example.com/ is taken by HTTPRoute shop/cart#rule-1 and meets no TimeoutPolicy.',
      'Change it so that the guarantee still holds, or ask its owner for an exception.',
    ].join(' ');
    const details = { causes: [{ reason: 'BrokenGuarantee', message }] };
    const status = { code: 403, reason: 'Forbidden', message, details };
    expect(open).toEqual({ uid: 'u-1', allowed: false, status });
  });

  it('says nothing about a change that breaks none', async () => {
    expect(await answerTo([edge, house], cart, { refuse })).toEqual({ uid: 'u-1', allowed: true });
  });

  it('refuses a change that breaks one for further requests, although others break it already', async () => {
    const request = { ...deletion, oldObject: own };
    expect(await answerTo([edge, vault], cart, { refuse })).toMatchObject({ allowed: false });
    const { allowed, status } = await answerTo([edge, cart, own, vault], own, { refuse, request });
    expect([allowed, status?.message]).toEqual([
      false,
      expect.stringContaining('GET http://cart.example.com/ is taken by HTTPRoute shop/cart#rule-1'),
    ]);
  });

  it('lets objects that break one be edited and fixed', async () => {
    const edited = { ...cart, metadata: { ...cart.metadata, labels: { edited: 'yes' } } };
    const request = { operation: 'UPDATE', oldObject: cart } as const;
    expect(await answerTo([edge, cart, vault], edited, { refuse, request })).toEqual({ uid: 'u-1', allowed: true });
    expect(await answerTo([edge, cart, vault], own, { refuse })).toEqual({ uid: 'u-1', allowed: true });
    const other = shop.httpRoute('cart', { parents: [edge], hostnames: ['evil.example.com'] });
    expect(await answerTo([edge, cart, vault], other, { refuse, request })).toMatchObject({ allowed: false });
  });

  it.each(['own-namespace', 'all'] as const)(
    'names routes and policies of other tenants only with names: all (%s)',
    async (names) => {
      const request = { ...deletion, oldObject: house };
      const { status } = await answerTo([edge, vault, house], house, { refuse, request, names });
      if (names === 'all') {
        expect(status?.message).toContain('GET http://vault.example.com/ is taken by HTTPRoute bank/vault#rule-1');
      } else {
        expect(status?.message).toContain(
          'a request is taken by a route in another namespace and meets no TimeoutPolicy',
        );
        expect(status?.message).not.toMatch(/bank|vault/);
      }
    },
  );

  it('shows a request to the own route, if others are affected as well', async () => {
    const short = shop.httpRoute('cart', { parents: [edge], hostnames: ['quite-a-long-hostname.example.com'] });
    const strict: Guarantee = { name: 'quick', holds: 'policies.TimeoutPolicy.spec.request == "9s"' };
    const topology = [edge, short, vault, house];
    const slow = shop.policy(TimeoutPolicy, 'slow', { on: short, spec: { request: '60s' } });
    const { status } = await answerTo(topology, slow, { refuse, guarantees: [strict] });
    expect(status?.message).toContain(
      'is taken by HTTPRoute shop/cart#rule-1 and meets TimeoutPolicy shop/slow; a policy of another namespace lost to it, because it is more specific',
    );
  });

  describe('about a route with a regular expression', () => {
    const rules = [{ matches: [{ path: { type: 'RegularExpression', value: '/a.*' } }] }];
    const hidden = shop.httpRoute('hidden', { parents: [edge], hostnames: ['hidden.example.com'], rules });
    const fact = 'HTTPRoute shop/hidden /spec/rules/0/matches/0/path depends on the regular expression /a.*';

    it('refuses it, because nothing is known about its requests', async () => {
      const { allowed, status } = await answerTo([edge], hidden, { refuse });
      const advice =
        'Change it so that this is known, such as with a path prefix, or ask the owner of the guarantee for an exception.';
      expect([allowed, status?.message]).toEqual([
        false,
        `This change would hide whether requests keep the guarantee timed (Every request meets a policy of the kind TimeoutPolicy.): ${fact}. ${advice}`,
      ]);
    });

    it('warns with undecided: warn, and still refuses other broken guarantees', async () => {
      const options = { refuse, undecided: 'warn' } as const;
      const { allowed, warnings } = await answerTo([edge, vault], hidden, options);
      const warning =
        /^Hides whether the guarantee timed holds: HTTPRoute shop\/hidden .* the regular expression \/a\.\*\.$/;
      expect([allowed, warnings]).toEqual([true, [expect.stringMatching(warning)]]);
      expect(await answerTo([edge, hidden], cart, options)).toMatchObject({ allowed: false });
    });

    it('names no route of other tenants', async () => {
      const request = { ...deletion, oldObject: house };
      const { status } = await answerTo([edge, house, hidden], house, { refuse, request });
      expect(status?.message).toContain('the policies of requests to routes in other namespaces are not known');
      expect(status?.message).not.toContain('hidden');
    });
  });

  it('follows guarantees that come and go', async () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    topology.apply({ upsert: [edge] });
    let guarantees: readonly Guarantee[] = [];
    const views = effectivePolicies(topology, TimeoutPolicy);
    const admission = createAdmission({ views, guarantees: () => guarantees, refuse });
    await admission.warmUp();
    const isAllowed = async () => (await admission.review(reviewOf(cart))).response.allowed;
    expect(await isAllowed()).toBe(true);
    guarantees = [timed];
    expect(await isAllowed()).toBe(false);
    topology.apply({ upsert: [house] });
    expect(await isAllowed()).toBe(true);
  });

  it('tells those who may not be the API server no name, not even of the guarantee', async () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    topology.apply({ upsert: [edge] });
    const admission = createAdmission({
      views: effectivePolicies(topology, TimeoutPolicy),
      guarantees: [timed],
      refuse,
    });
    const body = JSON.stringify(reviewOf(cart));
    const headers = { 'content-type': 'application/json' };
    const url = 'https://webhook/validate-gateway-networking-k8s-io-v1-httproute';
    const answer = await (await admission.fetch(new Request(url, { method: 'POST', headers, body }))).json();
    const message = 'This change would break a guarantee (its name only for the API server).';
    const details = { causes: [{ reason: 'BrokenGuarantee', message }] };
    expect(answer).toMatchObject({ response: { allowed: false, status: { message, details } } });
    expect(JSON.stringify(answer)).not.toMatch(/timed|cart/);
  });

  it('refuses faulty guarantees when it is created', async () => {
    const faulty = { name: 'faulty', holds: 'has(policies.TimoutPolicy)' };
    await expect(answerTo([edge], cart, { guarantees: [faulty] })).rejects.toMatchObject({
      code: 'invalid-guarantee',
      message: expect.stringContaining('policies does not have the field TimoutPolicy'),
    });
  });
});
