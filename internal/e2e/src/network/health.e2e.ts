import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { namespace, timeouts } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

/** Longer than a lease may go without an answer before that counts as long, in milliseconds. */
const outage = 140_000;

describe.runIf(inject('cluster').isOwn && waitsLong)('the replicas of a controller, without an API server', () => {
  let shop: FrontedShop;
  let connection: Connection;
  const replicas: ShopController[] = [];
  const ports: number[] = [];
  const probes = (path: string) =>
    Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text()));

  beforeAll(async () => {
    shop = await startFrontedShop();
    connection = await connect({ kubeconfig: shop.server.kubeconfig });
    await shop.apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: '1s' } }));
    for (const identity of ['one', 'two']) {
      const port = await freePort();
      ports.push(port);
      const lease = { namespace, identity };
      replicas.push(startShopController(connection, { lease, probes: { port, host: '127.0.0.1' } }));
    }
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
    await vi.waitFor(
      () => expect(replicas.map(({ controller }) => controller.isSynced)).toEqual([true, true]),
      patience,
    );
  });
  afterAll(async () => {
    await Promise.all(replicas.map((it) => it.stop()));
    connection?.close();
    await shop?.close();
  });

  it('are healthy and ready, because no restart would help', async () => {
    await shop.server.kill();
    await setTimeout(outage);
    expect(await probes('healthz')).toEqual(['ok', 'ok']);
    expect(await probes('readyz')).toEqual(['ok', 'ok']);
  });

  it('continue when it is back', async () => {
    await shop.server.start();
    await vi.waitFor(() => shop.apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: '2s' } })), patience);
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
  });
});
