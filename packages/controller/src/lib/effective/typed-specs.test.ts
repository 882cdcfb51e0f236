import { gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import { createFakeApiServer, createFakeClock, createFixtures, settle } from '@policy-machinery/testing';
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createPolicyController } from '../create-policy-controller.ts';
import { TimeoutPolicy } from '../world.fixture.ts';

const RetryPolicy = definePolicyKind({
  group: 'retries.example.com',
  version: 'v1',
  kind: 'RetryPolicy',
  targets: [HTTPRoute],
  spec: z.strictObject({ attempts: z.number() }),
});

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const cart = httpRoute('cart', { parents: ['edge'] });
const objects = [
  gateway('edge'),
  cart,
  policy(RetryPolicy, 'twice', { on: cart, spec: { attempts: 2 } }),
  policy(TimeoutPolicy, 'hurried', { on: cart, spec: { request: '1s' } }),
];
const log = { debug() {}, info() {}, warn() {}, error() {} };

it('gives onEffective the specs of one kind with their type', async () => {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, kinds: [...gatewayApi(), RetryPolicy, TimeoutPolicy], objects });
  const attempts: number[] = [];
  const controller = createPolicyController({
    name: 'retries.example.com/controller',
    connection: server.transport,
    targetKinds: gatewayApi(),
    policyKinds: [RetryPolicy],
    onEffective({ view, targets }) {
      for (const target of targets) attempts.push(...view.of(target).map(({ spec }) => spec.attempts));
    },
    log,
    clock,
  });
  const stopping = new AbortController();
  const running = controller.run({ signal: stopping.signal });
  await settle({ clock, server });
  expect(attempts).toEqual([2]);
  stopping.abort();
  await clock.advance(10_000);
  await running;
});

it('gives onEffective the specs of several kinds with the type of any of them', () => {
  const { transport } = createFakeApiServer({ clock: createFakeClock() });
  const create = () =>
    createPolicyController({
      name: 'retries.example.com/controller',
      connection: transport,
      targetKinds: gatewayApi(),
      policyKinds: [RetryPolicy, TimeoutPolicy],
      onEffective({ view }) {
        for (const { spec } of view) {
          if ('attempts' in spec) expectTypeOf(spec).toEqualTypeOf<{ attempts: number }>();
          else expectTypeOf(spec.request).toEqualTypeOf<string | undefined>();
        }
      },
    });
  expect(create).not.toThrow();
});
