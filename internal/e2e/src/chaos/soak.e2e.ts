import { setTimeout } from 'node:timers/promises';
import { type Connection, connect } from '@policy-machinery/cluster';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type FrontedShop, startFrontedShop } from '../network/fronted-shop.ts';
import { blamesIn, ownsConfigMaps, type ShopController, startShopController } from '../network/shop-controller.ts';
import { namespace, TimeoutPolicy } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import { ApiClient } from './api-client.ts';
import { changesOf, randomFrom } from './changes.ts';
import { freshTopology } from './fresh-topology.ts';

/** How long changes are made, in minutes. */
const minutes = Number(process.env.SOAK_MINUTES ?? 15);
const seed = Number(process.env.CHAOS_SEED ?? 1);

/** So few that objects are often created again with the content that they had before they were deleted. */
const variety = { gateways: 2, routes: 10, policies: 10, timeouts: 1 };

/** The time between two changes, in milliseconds: less than the writes take that follow from one. */
const pace = 50;

/** A limit for what hangs: of the changes, and of all others. */
const limit = minutes * 60_000 + 300_000;
const patience = { timeout: 300_000, interval: 1000 };

describe.runIf(inject('cluster').isOwn && waitsLong)(
  `a controller with owned objects, through ${minutes} minutes of changes of its input, without another client`,
  () => {
    let shop: FrontedShop;
    let admin: Connection;
    let connection: Connection;
    let controller: ShopController;

    beforeAll(async () => {
      shop = await startFrontedShop();
      admin = await connect({ kubeconfig: shop.server.kubeconfig });
      connection = await connect({ kubeconfig: shop.server.kubeconfig });
      controller = startShopController(connection, { ...ownsConfigMaps, lease: { namespace } });
    });
    afterAll(async () => {
      await controller?.stop();
      for (const it of [admin, connection]) it?.close();
      await shop?.close();
    });

    it('blames no other client', { timeout: limit }, async () => {
      const client = new ApiClient(admin);
      const end = Date.now() + minutes * 60_000;
      let made = 0;
      for (const change of changesOf(Number.POSITIVE_INFINITY, randomFrom(seed), variety)) {
        if (Date.now() > end) break;
        await client.make(change);
        made += 1;
        await setTimeout(pace);
      }
      console.info(`soak: ${made} changes in ${minutes} minutes`);
      expect(blamesIn(controller.log)).toEqual([]);
    });

    it('has the owned objects of a process that starts afresh', async () => {
      await vi.waitFor(async () => {
        const view = effectivePolicies(await freshTopology(admin), TimeoutPolicy);
        const wanted = [...view].map(({ target, spec }) => [target.ref.name, JSON.stringify(spec)]);
        const owned = [...(await shop.configMaps())].map(([name, { data }]) => [name, data.spec]);
        expect(Object.fromEntries(owned)).toEqual(Object.fromEntries(wanted));
      }, patience);
    });
  },
);
