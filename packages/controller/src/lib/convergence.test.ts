import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute, Namespace } from '@policy-machinery/gateway-api';
import { planStatus } from '@policy-machinery/policy-status';
import type { FakeApiServer, Fault } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, createWorld, gateway, name, route, TimeoutPolicy, timeouts } from './world.fixture.ts';

const objects = [
  gateway('edge'),
  gateway('inner'),
  route('cart', 'edge'),
  route('menu', 'edge', 'inner'),
  timeouts('slow', 'Gateway edge', { request: '10s' }),
  timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }),
  timeouts('lost', 'HTTPRoute nowhere', { idle: '1s' }),
  timeouts('other', 'Gateway edge', { idle: '3s' }),
];
const locators = [
  at.gateway('edge'),
  at.gateway('inner'),
  at.route('cart'),
  at.route('menu'),
  ...['slow', 'fast', 'lost', 'other'].map(at.policy),
];
const plurals = ['gateways', 'httproutes', 'timeoutpolicies'];

const requests = fc
  .tuple(fc.constantFrom('watch', 'list', 'patch', '*'), fc.constantFrom(...plurals, '*'))
  .map(([verb, resource]) => `${verb} ${resource}`);
const watches = fc.constantFrom(...plurals).map((it) => `watch ${it}`);
const faults: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    at: requests,
    times: fc.integer({ min: 1, max: 5 }),
    do: fc.constantFrom<Fault['do'][]>('refuse', 'drop', { status: 500 }, { status: 429, retryAfter: 2 }),
  }),
  fc.record({ at: watches, do: fc.constantFrom<Fault['do'][]>('gone', 'garbage', 'duplicate', 'halfOpen') }),
);
const step = fc.oneof(
  fc.record({ do: fc.constant('put' as const), which: fc.nat(objects.length - 1) }),
  fc.record({ do: fc.constant('delete' as const), which: fc.nat(objects.length - 1) }),
  fc.record({ do: fc.constant('scribble' as const), which: fc.nat(objects.length - 1) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 60, 1500, 40_000) }),
  fc.record({ do: fc.constant('fault' as const), fault: faults }),
  fc.record({ do: fc.constant('compact' as const) }),
  fc.record({ do: fc.constant('restart' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(each: Step, server: FakeApiServer, settle: (ms: number) => Promise<void>): Promise<void> {
  if (each.do === 'wait') return settle(each.ms);
  if (each.do === 'fault') return void server.addFaults(each.fault);
  if (each.do === 'compact' || each.do === 'restart') return server[each.do]();
  const [object, locator] = [objects[each.which], locators[each.which]];
  if (object === undefined || locator === undefined) return;
  const isThere = server.get(locator) !== undefined;
  if (each.do === 'delete' && isThere) server.delete(locator);
  if (each.do === 'put' && !isThere) server.create(object);
  if (each.do === 'scribble' && isThere) server.update(locator, (it) => ({ ...it, status: { conditions: [] } }));
}

describe('a controller, with any faults', () => {
  it('reaches the statuses of a fresh plan, and then writes nothing more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const world = createWorld({ objects: objects.slice(0, 5) });
        const { stop } = world.start();
        for (const each of steps) await carryOut(each, world.server, world.settle);
        await world.settle(1_200_000); // All faults pass.
        const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
        for (const kind of [Gateway, HTTPRoute, Namespace, TimeoutPolicy])
          topology.apply({ upsert: world.server.list(kind) });
        const fresh = planStatus(effectivePolicies(topology, TimeoutPolicy), { controllerName: name, now: new Date() });
        expect(fresh.writes.map(({ locator }) => locator)).toEqual([]);
        const written = world.writes.length;
        await world.settle(60_000);
        expect(world.writes).toHaveLength(written);
        await stop();
      }),
      { numRuns: Math.ceil(Number(process.env.PROPERTY_RUNS ?? 40) / 5) },
    );
  }, 600_000);
});
