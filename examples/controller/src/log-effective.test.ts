import { createPolicyController } from '@policy-machinery/controller';
import { onTwoGateways, twoGateways } from '@policy-machinery/golden-output';
import { createFakeApiServer, createFakeClock, settle } from '@policy-machinery/testing';
import { expect, it } from 'vitest';
import { TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import { declared, kinds } from './declared.ts';
import { logEffective } from './log-effective.ts';

it('logs the override of each of two Gateways above a route', async () => {
  const specs = { public: { overrides: { request: '500s' } }, internal: { overrides: { request: '5s' } } };
  const objects = [...twoGateways, ...onTwoGateways(TimeoutPolicy, specs)];
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, kinds: [...declared.targetKinds, ...kinds], objects });
  const logged: unknown[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const { name, targetKinds, policyKinds } = declared;
  const onEffective = logEffective({ ...log, info: (_, fields) => logged.push(fields) });
  const options = { name, targetKinds, policyKinds, connection: server.transport, clock, log };
  const stopping = new AbortController();
  const running = createPolicyController({ ...options, onEffective }).run({ signal: stopping.signal });
  await settle({ clock, server });
  stopping.abort();
  await clock.advance(20_000);
  await running;
  const cart = 'httproute.gateway.networking.k8s.io:shop/cart#all';
  const below = 'gateway.gateway.networking.k8s.io:shop';
  expect(logged).toEqual([
    { kind: 'TimeoutPolicy', context: `${cart} below ${below}/internal`, spec: { request: '5s' } },
    { kind: 'TimeoutPolicy', context: `${cart} below ${below}/public`, spec: { request: '500s' } },
  ]);
});
