import { GRPCRoute, gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { createWorld, TimeoutPolicy } from './world.fixture.ts';

const { requiredKinds } = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });

/** Less than the time after which all objects are read again. */
const minutes = 4;

describe('a controller that has nothing to do', () => {
  it.each([
    ['sends nothing while all kinds are installed', [], []],
    [
      'asks for the groups each half minute while a kind is not installed, once for all such kinds',
      [GRPCRoute, requiredKinds.find(({ kind }) => kind === 'ReferenceGrant')],
      Array.from({ length: 2 * minutes }, () => 'GET /apis'),
    ],
  ])('%s', async (_title, absent, requests) => {
    const world = createWorld({ kinds: requiredKinds.filter(({ kind }) => absent.every((it) => it?.kind !== kind)) });
    const { stop } = world.start();
    await world.settle(20_000);
    const before = world.server.requests.length;
    await world.settle(minutes * 60_000);
    expect(world.server.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual(requests);
    await stop();
  });
});
