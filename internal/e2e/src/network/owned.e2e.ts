import { type Connection, connect } from '@policy-machinery/cluster';
import { configured, type PolicyControllerOptions } from '@policy-machinery/controller';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { gateway, namespace, route, TimeoutPolicy, timeouts } from '../shop.ts';
import { type FrontedShop, startFrontedShop } from './fronted-shop.ts';
import { ownsConfigMaps, type ShopController, startShopController } from './shop-controller.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const Secret = { group: '', kind: 'Secret' };
const unavailable = { status: 503, body: 'Service Unavailable' };

describe.runIf(inject('cluster').isOwn)(
  'a controller with watched Secrets and owned ConfigMaps, on a real API server',
  () => {
    let shop: FrontedShop;
    let connection: Connection;
    let direct: Connection;
    let process: ShopController;
    const ends: (() => Promise<void>)[] = [];
    /** The names of Secrets that a verdict has missed. */
    const missed: string[] = [];
    const versions = async () =>
      [...(await shop.configMaps()).values()].map(({ metadata }) => metadata.resourceVersion);
    const outcome = async () => {
      const { status } = await shop.read('timeoutpolicies.timeouts.example.com', 'slow');
      return status?.ancestors?.[0]?.conditions?.[0]?.reason;
    };
    /** Waits until there are ConfigMaps with these request timeouts, by name, and no others. */
    const areOwned = (requests: Readonly<Record<string, string>>) =>
      vi.waitFor(async () => {
        const owned = [...(await shop.configMaps())].map(([name, { data }]) => [name, data.spec]);
        const wanted = Object.entries(requests).map(([name, request]) => [name, JSON.stringify({ request })]);
        expect(Object.fromEntries(owned)).toEqual(Object.fromEntries(wanted));
      }, patience);

    /** Starts a process. */
    function start(transport: Connection, options: Pick<PolicyControllerOptions, 'shards'> = {}): ShopController {
      const started = startShopController(transport, {
        ...ownsConfigMaps,
        ...options,
        policyKinds: [
          configured(TimeoutPolicy, {
            verdict(_policy, objects) {
              if (objects.get(Secret, { namespace, name: 'key' }) !== undefined) return undefined;
              missed.push('key');
              return { reason: 'NoSecret', message: 'The Secret key does not exist; create it.' };
            },
          }),
        ],
        watches: [{ kind: Secret, metadataOnly: true }],
      });
      ends.push(started.stop);
      return started;
    }

    beforeAll(async () => {
      shop = await startFrontedShop();
      const slow = timeouts('slow', 'Gateway', 'edge', { defaults: { request: '10s' } });
      await shop.apply(...['cart', 'menu'].map((it) => route(it, { name: 'edge' })), slow);
      await shop.run('create', 'secret', 'generic', 'key', '-n', namespace);
      connection = await connect({ server: shop.proxy.url });
      direct = await connect({ kubeconfig: shop.server.kubeconfig });
    });
    afterAll(async () => {
      await Promise.all(ends.map((end) => end()));
      for (const it of [connection, direct]) it?.close();
      await shop?.close();
    });

    it('says of no Secret that it is missing, and plans and calls nothing, before Secrets can be read', async () => {
      const path = '/api/v1/secrets';
      const end = shop.proxy.fail({ method: 'GET', path, times: Number.POSITIVE_INFINITY, fault: unavailable });
      process = start(connection);
      const attempts = () => shop.proxy.requests.filter((it) => it.includes(path)).length;
      await vi.waitFor(() => expect(attempts()).toBeGreaterThanOrEqual(4), patience);
      await vi.waitFor(() => expect(process.controller.heldUpBy.map(({ kind }) => kind)).toEqual(['Secret']), patience);
      expect([await outcome(), await shop.configMaps()]).toEqual([undefined, new Map()]);
      end();
      await vi.waitFor(async () => expect(await outcome()).toBe('Accepted'), patience);
      await areOwned({ cart: '10s', menu: '10s' });
      expect(missed).toEqual([]);
    });

    it('brings back owned objects that others change or delete', async () => {
      await shop.run('patch', 'configmap', 'cart', '-n', namespace, '-p', '{"data":{"spec":"{}"}}');
      await shop.run('delete', 'configmap', 'menu', '-n', namespace);
      await areOwned({ cart: '10s', menu: '10s' });
    });

    it('sweeps the owned objects of a target that goes while no process runs, and keeps the others', async () => {
      const { metadata } = await shop.read('configmap', 'cart');
      await process.stop();
      await shop.run('delete', 'httproute', 'menu', '-n', namespace);
      process = start(connection);
      await areOwned({ cart: '10s' });
      expect((await shop.read('configmap', 'cart')).metadata.uid).toBe(metadata.uid);
    });

    it('keeps owned objects unchanged when their target moves to a replica that joins, which restores them', async () => {
      await process.stop();
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      const objects = names.flatMap((name) => [
        gateway(name),
        route(name, { name }),
        timeouts(name, 'Gateway', name, { defaults: { request: '1s' } }),
      ]);
      await shop.apply(...objects);
      const all = { cart: '10s', ...Object.fromEntries(names.map((it) => [it, '1s'])) };
      const shards = { namespace, name: 'owned' };
      start(direct, { shards: { ...shards, identity: 'one' } });
      await areOwned(all);
      const before = await versions();
      const asked = shop.proxy.requests.length;
      const writes = () => shop.proxy.requests.slice(asked).filter((it) => /^PATCH .*\/configmaps\//.test(it)).length;
      const { controller } = start(connection, { shards: { ...shards, identity: 'two' } });
      const isShared = () =>
        names.some((name) => controller.answersFor(`httproute.gateway.networking.k8s.io:${namespace}/${name}`));
      await vi.waitFor(() => expect(isShared()).toBe(true), patience);
      expect([writes(), await versions()]).toEqual([0, before]);
      await shop.run('delete', 'configmap', '-n', namespace, '--all');
      await areOwned(all);
      expect(writes()).toBeGreaterThan(0);
      expect(writes()).toBeLessThan(names.length + 1);
    });
  },
);
