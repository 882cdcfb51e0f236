import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology } from '@policy-machinery/topology';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createFixtures } from '../../index.ts';
import { policyMatchers } from '../../vitest.ts';

const TimeoutPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  spec: z.strictObject({ request: z.string(), idle: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});

expect.extend(policyMatchers);

it('lets the owner of a route set another timeout than the Gateway', () => {
  const { gatewayClass, gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
  const edge = gateway('public', { listeners: ['http', { name: 'https', protocol: 'HTTPS' }] });
  const cart = httpRoute('cart', { parents: ['public#http'], rules: [{ matches: ['/cart'] }] });
  const house = policy(TimeoutPolicy, 'house', { on: edge, spec: { defaults: { request: '10s', idle: '1m' } } });
  const patient = policy(TimeoutPolicy, 'patient', { on: cart, spec: { request: '30s' } });

  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: [gatewayClass('example'), edge, cart, house, patient] });
  const effective = effectivePolicies(topology, TimeoutPolicy);

  expect(effective).toHaveEffectiveSpec(cart, { request: '30s', idle: '1m' }, { via: [edge, 'http'] });
  expect(effective).toHaveOutcome(house, 'partly-enforced');
  expect(effective).toMeet({ path: '/cart', port: 80 }, [house, patient]);
});
