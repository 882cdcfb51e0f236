import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { createFakeApiServer, createFakeClock, createFixtures, settle } from '@policy-machinery/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createPolicyController } from '../create-policy-controller.ts';

const limits = z
  .object({ min: z.number().optional(), max: z.number().optional() })
  .refine(({ min = 0, max = 9 }) => min <= max, { error: 'min must not exceed max', path: ['min'] });

const LimitPolicy = definePolicyKind({
  group: 'limits.example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  stanzas: bareSpec({ strategies: { patch } }),
  spec: limits,
});

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge');
const [cart, menu] = ['cart', 'menu'].map((name) => httpRoute(name, { parents: ['edge'] }));
if (cart === undefined || menu === undefined) throw new Error('no routes');
const told = 'the merged spec is refused: min must not exceed max; shop/own sets /min';

it('tells onEffective, and the status of the policy concerned, that a merged spec is refused', async () => {
  const clock = createFakeClock();
  const objects = [
    edge,
    cart,
    menu,
    policy(LimitPolicy, 'house', { on: edge, spec: { max: 3 } }),
    policy(LimitPolicy, 'own', { on: cart, spec: { min: 5 } }),
  ];
  const server = createFakeApiServer({ clock, kinds: [...gatewayApi(), LimitPolicy], objects });
  const refused: Record<string, readonly string[]> = {};
  const controller = createPolicyController({
    name: 'limits.example.com/controller',
    connection: server.transport,
    targetKinds: gatewayApi(),
    policyKinds: [LimitPolicy],
    onEffective({ view, targets }) {
      for (const target of targets) {
        const issues = view.of(target).flatMap((effective) => effective.issues);
        refused[target] = issues.filter(({ code }) => code === 'refused-when-merged').map(({ message }) => message);
      }
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    clock,
  });
  const stopping = new AbortController();
  const running = controller.run({ signal: stopping.signal });
  await settle({ clock, server });
  const route = 'httproute.gateway.networking.k8s.io:shop';
  expect(refused).toEqual({ [`${route}/cart`]: [told], [`${route}/menu`]: [] });
  const status = (name: string) => JSON.stringify(server.get(`limitpolicy.limits.example.com:shop/${name}`)?.status);
  expect(status('own')).toContain(told);
  expect(status('own')).toContain('"reason":"PartiallyProgrammed"');
  expect(status('house')).toContain('"reason":"Programmed"');
  stopping.abort();
  await clock.advance(10_000);
  await running;
});
