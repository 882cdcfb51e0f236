import { closeSync, openSync, writeSync } from 'node:fs';
import { type Clock, connect } from '@policy-machinery/cluster';
import { createPolicyController, type PolicyControllerOptions } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { jsonLogger } from '@policy-machinery/observability';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from './api-server.ts';
import { accessTo, kubectl } from './cluster.ts';
import { freePort } from './free-port.ts';
import { installGatewayApi } from './gateway-api.ts';
import { definition, gateway, route, TimeoutPolicy, timeouts } from './shop.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

/** How many times faster than the machine's the clock of a controller is. */
const speed = 20;
const fastClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now() * speed,
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, Math.min(ms / speed, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

describe.runIf(inject('cluster').isOwn)('a controller on a real API server', () => {
  let server: ApiServer;
  const stops: (() => Promise<void>)[] = [];
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly KubernetesObject[]) =>
    run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const policies = 'timeoutpolicies.timeouts.example.com';
  const statusOf = async (name: string) =>
    JSON.parse(await run(['get', policies, '-n', 'shop', name, '-o', 'json'])).status ?? {};
  /** The types of conditions in each entry of a policy: `timeouts.example.com/controller: Accepted Programmed`. */
  const entriesOf = async (name: string): Promise<readonly string[]> => {
    const { ancestors = [] } = await statusOf(name);
    return ancestors.map(({ controllerName, conditions }: { controllerName: string; conditions: { type: string }[] }) =>
      [`${controllerName}:`, ...conditions.map(({ type }) => type)].join(' '),
    );
  };
  const silent = { debug() {}, info() {}, warn() {}, error() {} };

  /** Starts a controller. Returns a function that stops it. */
  async function start(options: Partial<PolicyControllerOptions> = {}): Promise<() => Promise<void>> {
    const stopping = new AbortController();
    const connection = await connect({ kubeconfig: server.kubeconfig });
    const controller = createPolicyController({
      ...{ name: 'timeouts.example.com/controller', connection, log: silent },
      ...{ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] },
      ...options,
    });
    const running = controller.run({ signal: stopping.signal });
    const stop = async () => {
      stopping.abort();
      await running;
      connection.close();
    };
    stops.push(stop);
    return stop;
  }

  beforeAll(async () => {
    server = await startApiServer();
    await installGatewayApi(accessTo(server.kubeconfig));
    await apply(definition);
    await run(['create', 'namespace', 'shop']);
    const objects = [gateway('edge'), route('cart', { name: 'edge' })];
    await vi.waitFor(() => apply(...objects, timeouts('slow', 'Gateway', 'edge', { request: '10s' })), patience);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => server?.close());

  it('writes its entries as a whole after a rollback, and leaves entries of others', async () => {
    const audited = { type: 'Audited', status: 'True', reason: 'Audited', message: 'By a newer version.' } as const;
    const stop = await start({ status: { conditionTypes: ['Audited'], conditions: () => [audited] } });
    const own = 'timeouts.example.com/controller: Accepted Programmed';
    await vi.waitFor(async () => expect(await entriesOf('slow')).toEqual([`${own} Audited`]), patience);
    await stop();
    const { ancestors } = await statusOf('slow');
    const theirs = {
      ancestorRef: ancestors[0].ancestorRef,
      controllerName: 'other.example.com/controller',
      conditions: [{ ...audited, lastTransitionTime: '2026-01-01T00:00:00Z' }],
    };
    const patch = JSON.stringify([{ op: 'add', path: '/status/ancestors/-', value: theirs }]);
    await run(['patch', policies, 'slow', '-n', 'shop', '--subresource=status', '--type=json', '-p', patch]);
    await start();
    await vi.waitFor(async () => {
      expect(await entriesOf('slow')).toEqual([own, 'other.example.com/controller: Audited']);
    }, patience);
  });

  it.skipIf(process.platform !== 'linux')('writes statuses while the disk under its log is full', async () => {
    const full = openSync('/dev/full', 'w');
    let lost = 0;
    const write = (line: string) => {
      lost += 1;
      writeSync(full, line);
    };
    await start({ log: jsonLogger({ write, level: 'debug' }) });
    await apply(timeouts('late', 'HTTPRoute', 'cart', { request: '1s' }));
    await vi.waitFor(async () => expect(await entriesOf('late')).toHaveLength(1), patience);
    expect(lost).toBeGreaterThan(0);
    closeSync(full);
  });

  it('stays healthy in all replicas while the API server is away for long', async () => {
    const ports = [await freePort(), await freePort()];
    for (const port of ports) {
      await start({ clock: fastClock, lease: { namespace: 'shop' }, probes: { port, host: '127.0.0.1' } });
    }
    const answers = (path: string) =>
      Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}${path}`)).status));
    await vi.waitFor(async () => expect(await answers('/readyz')).toEqual([200, 200]), patience);
    await server.kill();
    const killedAt = fastClock.monotonic();
    while (fastClock.monotonic() - killedAt < 180_000) {
      expect(await answers('/healthz')).toEqual([200, 200]);
      await new Promise<void>((resolve) => void fastClock.setTimeout(resolve, 5000));
    }
    await server.start();
    await apply(timeouts('after', 'HTTPRoute', 'cart', { request: '2s' }));
    await vi.waitFor(async () => expect(await entriesOf('after')).toHaveLength(1), patience);
    expect(await answers('/healthz')).toEqual([200, 200]);
  });
});
