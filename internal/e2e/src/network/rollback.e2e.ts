import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { namespace, timeouts } from '../shop.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { controllerName, type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const others = 'others.example.com/controller';

interface Condition {
  readonly type: string;
}
interface Entry {
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
}

describe.runIf(inject('cluster').isOwn)('the status of a policy after the rollback of a controller', () => {
  let shop: FrontedShop;
  let connection: Connection;
  let controller: ShopController;
  const entries = async (): Promise<readonly Entry[]> =>
    (await shop.read('timeoutpolicies.timeouts.example.com', 'slow')).status?.ancestors ?? [];
  const entryOf = async (name: string) => (await entries()).find((it) => it.controllerName === name);
  const typesOf = async (name: string) => (await entryOf(name))?.conditions.map(({ type }) => type) ?? [];

  beforeAll(async () => {
    shop = await startFrontedShop();
    connection = await connect({ kubeconfig: shop.server.kubeconfig });
    await shop.apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: '10s' } }));
    controller = startShopController(connection);
    await vi.waitFor(() => shop.areCurrent('slow'), patience);
    await controller.stop();
  });
  afterAll(async () => {
    await controller?.stop();
    connection?.close();
    await shop?.close();
  });

  it('contains only the conditions of the older version in its own entry, and all entries of others', async () => {
    const types = await typesOf(controllerName);
    const [own] = await entries();
    const newer = {
      type: 'Attested',
      status: 'True',
      reason: 'Attested',
      message: 'By the newer version.',
      lastTransitionTime: '2026-01-12T09:00:00Z',
    };
    const conditions = [...(own?.conditions ?? []), newer];
    const ancestors = [
      { ...own, conditions },
      { ...own, controllerName: others, conditions: [newer] },
    ];
    const patch = JSON.stringify({ status: { ancestors } });
    const about = ['timeoutpolicies.timeouts.example.com', 'slow', '-n', namespace, '--subresource=status'];
    await shop.run('patch', ...about, '--type=merge', `--field-manager=${controllerName}`, '-p', patch);
    expect(await typesOf(controllerName)).toContain('Attested');
    const before = await entryOf(others);

    controller = startShopController(connection);
    await vi.waitFor(async () => expect(await typesOf(controllerName)).toEqual(types), patience);
    expect(await entryOf(others)).toEqual(before);
  });
});
