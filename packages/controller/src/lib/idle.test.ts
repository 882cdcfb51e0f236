import { syncBuiltinESMExports } from 'node:module';
import performanceHooks from 'node:perf_hooks';
import { GRPCRoute, gatewayApi } from '@policy-machinery/gateway-api';
import { promClient } from '@policy-machinery/observability/prom-client';
import { createTopology } from '@policy-machinery/topology';
import { Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import { createWorld, TimeoutPolicy } from './world.fixture.ts';

const { requiredKinds } = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });

const sent = ({ requests }: ReturnType<typeof createWorld>['server']) =>
  requests.map(({ method, path, query }) => `${method} ${path}${query.watch === 'true' ? ', watched' : ''}`);

describe('a controller that starts', () => {
  const start = async (...absent: readonly string[]) => {
    const world = createWorld({ kinds: requiredKinds.filter(({ kind }) => !absent.includes(kind)) });
    const { stop } = world.start();
    await world.settle(20_000);
    const requests = sent(world.server);
    await stop();
    return {
      discovery: requests.filter((it) => /^GET \/apis?(?:\/[\w.-]+)*$/.test(it) && !it.includes('customresource')),
      watches: requests.filter((it) => it.endsWith(', watched')),
    };
  };

  it('asks twice how all kinds are served, and reads each kind by one request', async () => {
    const { discovery, watches } = await start();
    expect(discovery).toEqual(['GET /api', 'GET /apis']);
    expect(watches).toHaveLength(requiredKinds.length);
    expect(new Set(watches).size).toBe(requiredKinds.length);
  });

  it('asks once about each version of kinds that are not installed, and once more about all of them', async () => {
    const absent = ['TCPRoute', 'TLSRoute', 'UDPRoute', 'ListenerSet', 'XListenerSet'];
    const { discovery, watches } = await start(...absent);
    const versions = new Set(
      requiredKinds.flatMap(({ group, kind, versions: all }) =>
        absent.includes(kind) ? all.map((version) => `GET /apis/${group}/${version}`) : [],
      ),
    );
    expect(discovery.toSorted()).toEqual(['GET /api', 'GET /apis', 'GET /apis', ...versions].toSorted());
    expect(watches).toHaveLength(requiredKinds.length - absent.length);
  });
});

/** Less than the time after which all objects are read again. */
const minutes = 4;

describe('a controller that has nothing to do', () => {
  it('looks at the event loop again and again only if metrics are collected', async () => {
    const monitor = vi.spyOn(performanceHooks, 'monitorEventLoopDelay');
    syncBuiltinESMExports();
    for (const [metrics, monitors] of [
      [{}, 0],
      [{ metrics: promClient(new Registry()) }, 2],
    ] as const) {
      const world = createWorld({ controller: metrics });
      const { stop } = world.start();
      await world.settle();
      expect(monitor).toHaveBeenCalledTimes(monitors);
      await stop();
    }
    monitor.mockRestore();
    syncBuiltinESMExports();
  });

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
