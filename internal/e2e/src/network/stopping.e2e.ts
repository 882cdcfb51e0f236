import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { endProgram, startModule } from '../processes.ts';
import { namespace, route, timeouts } from '../shop.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { ownsConfigMaps, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

/** How long a stop waits for what is under way, unless the controller says otherwise, in milliseconds. */
const drain = 10_000;

/** After so long, a kubelet kills a process that it has asked to end. In milliseconds. */
const gracePeriod = 30_000;

describe.runIf(inject('cluster').isOwn)('the stop of a controller on a real API server', () => {
  let shop: FrontedShop;
  let connection: Connection;
  const holder = async (): Promise<string> => {
    const { items } = await shop.read('leases');
    return items[0]?.spec.holderIdentity;
  };

  beforeAll(async () => {
    shop = await startFrontedShop();
    connection = await connect({ server: shop.proxy.url });
    await shop.apply(
      route('cart', { name: 'edge' }),
      timeouts('slow', 'Gateway', 'edge', { defaults: { request: '1s' } }),
    );
  });
  afterAll(async () => {
    connection?.close();
    await shop?.close();
  });

  it('ends the process and releases the lease within the grace period if onEffective never returns', async () => {
    const env = { KUBECONFIG: shop.server.kubeconfig, NAME: 'hung' };
    const { child } = await startModule(`${import.meta.dirname}/hung-replica.ts`, { env });
    expect(await holder()).toBe('hung');
    const end = endProgram(child).then(() => child.exitCode);
    const code = await Promise.race([end, setTimeout(gracePeriod, 'still running')]);
    await endProgram(child, 'SIGKILL');
    expect(code).toBe(0);
    expect(await holder()).toBe('');
  });

  it('waits once for all writes that are not answered, counts them, and releases the lease', async () => {
    const { log, stop } = startShopController(connection, {
      ...ownsConfigMaps,
      finalizer: 'timeouts.example.com/cleanup',
      lease: { namespace, identity: 'drained' },
    });
    await vi.waitFor(async () => expect([...(await shop.configMaps()).keys()]).toEqual(['cart']), patience);
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
    shop.proxy.fail({ method: 'PATCH', path: '', times: Number.POSITIVE_INFINITY, fault: 'silence' });
    await shop.apply(
      route('menu', { name: 'edge' }),
      timeouts('slow', 'Gateway', 'edge', { defaults: { request: '2s' } }),
    );
    const waiting = () =>
      shop.proxy.open
        .filter((it) => it.startsWith('PATCH'))
        .map((it) => /[a-z]+\/[a-z]+(\/status)?(?=\?)/.exec(it)?.[0]);
    await vi.waitFor(
      () =>
        expect(waiting()).toEqual(
          expect.arrayContaining(['configmaps/cart', 'httproutes/menu', 'timeoutpolicies/slow/status']),
        ),
      patience,
    );
    const left = waiting().length;
    const began = performance.now();
    await stop();
    const took = Math.round(performance.now() - began);
    console.info(`a stop with ${left} writes that are not answered: ${took} ms`);
    expect(took).toBeLessThan(2 * drain);
    expect(log.find(({ message }) => message === 'stopped')?.fields).toMatchObject({ left });
    expect(await holder()).toBe('');
  });
});
