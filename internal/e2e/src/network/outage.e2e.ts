import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { route, timeouts } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import type { NetworkFault } from './fault-proxy.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 50 };

/** How long writes fail, in milliseconds. Then each object waits for about as long before its next attempt. */
const outage = waitsLong ? 90_000 : 20_000;

/** Far less than that wait, and far more than a busy machine takes for a write. */
const soon = { ...patience, timeout: outage / 2 };

/** What fails without an answer of the API server, and with one. */
const faults: Readonly<Record<string, NetworkFault>> = {
  edited: { status: 503, body: '<html><body>Service Unavailable</body></html>' },
  cut: 'cut',
  failed: {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'InternalError', code: 500 }),
  },
};
const names = Object.keys(faults);

describe.runIf(inject('cluster').isOwn)('statuses after an outage of a real API server', () => {
  let shop: FrontedShop;
  let connection: Connection;
  let controller: ShopController;
  const edit = (name: string, request: string) => shop.apply(timeouts(name, 'HTTPRoute', name, { request }));
  const attempts = () =>
    shop.proxy.requests.filter((it) => it.startsWith('PATCH') && it.includes('/timeoutpolicies/')).length;
  const isTried = (count: number) => vi.waitFor(() => expect(attempts()).toBeGreaterThanOrEqual(count), patience);
  const fail = (name: string, fault: NetworkFault, times = Number.POSITIVE_INFINITY) =>
    shop.proxy.fail({ method: 'PATCH', path: `/timeoutpolicies/${name}/`, times, fault });

  beforeAll(async () => {
    shop = await startFrontedShop();
    await shop.apply(...names.map((name) => route(name, { name: 'edge' })));
    for (const name of names) await edit(name, '1s');
    connection = await connect({ server: shop.proxy.url });
    controller = startShopController(connection);
    await vi.waitFor(() => shop.areCurrent(...names), patience);
  });
  afterAll(async () => {
    await controller?.stop();
    connection?.close();
    await shop?.close();
  });

  it('are written at once when their policies are edited', async () => {
    const ends = Object.entries(faults).map(([name, fault]) => fail(name, fault));
    for (const name of names) await edit(name, '2s');
    await setTimeout(outage);
    await isTried(attempts() + names.length);
    for (const end of ends) end();
    await edit('edited', '3s');
    await vi.waitFor(() => shop.areCurrent('edited'), soon);
  });

  it('are written as soon as one status of the kind has been written', async () => {
    await vi.waitFor(() => shop.areCurrent(...names), soon);
  });

  it('do not wait for a status that the API server asks to send an hour later', async () => {
    const body = 'Too many requests';
    fail('edited', { status: 429, headers: { 'retry-after': '3600' }, body }, 1);
    const before = attempts();
    await edit('edited', '4s');
    await isTried(before + 1);
    await edit('cut', '4s');
    await vi.waitFor(() => shop.areCurrent('cut'), { ...patience, timeout: 15_000 });
  });

  it.runIf(waitsLong)('are written at once after the API server was down, when its kinds are read again', async () => {
    await shop.server.kill();
    await setTimeout(outage);
    await shop.server.start();
    await vi.waitFor(() => edit('cut', '5s'), patience);
    await vi.waitFor(() => shop.areCurrent(...names), patience);
    await edit('cut', '6s');
    await vi.waitFor(() => shop.areCurrent('cut'), soon);
  });
});
