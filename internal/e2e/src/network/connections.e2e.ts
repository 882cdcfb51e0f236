import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { timeouts } from '../shop.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

/** Fewer connections than the controller has kinds. */
const few = 4;

describe.runIf(inject('cluster').isOwn)('a load balancer that allows few connections to a real API server', () => {
  let shop: FrontedShop;
  let connection: Connection;
  let controller: ShopController;

  beforeAll(async () => {
    shop = await startFrontedShop();
    await shop.apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: '1s' } }));
    shop.proxy.limitConnections(few);
    connection = await connect({ server: shop.proxy.url });
    controller = startShopController(connection);
  });
  afterAll(async () => {
    await controller?.stop();
    connection?.close();
    await shop?.close();
  });

  it('delays the controller, which reports the limit and the remedy', async () => {
    await vi.waitFor(() => {
      const messages = controller.controller.heldUpBy.map(({ message }) => message);
      expect(messages.join('\n')).toContain('if a load balancer limits their number, raise the limit');
    }, patience);
    expect(controller.controller.isSynced).toBe(false);
  });

  it('delays the controller no longer when the limit is raised', async () => {
    shop.proxy.limitConnections(100);
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
  });
});
