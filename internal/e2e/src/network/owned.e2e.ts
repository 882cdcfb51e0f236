import { type Connection, connect } from '@policy-machinery/cluster';
import { configured, createPolicyController, type PolicyControllerOptions } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { accessTo } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { definition, gateway, namespace, route, TimeoutPolicy, timeouts } from '../shop.ts';
import { type FrontedServer, startFrontedServer } from './fronted-server.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 100 };

const Secret = { group: '', kind: 'Secret' };
const unavailable = { status: 503, body: 'Service Unavailable' };

describe.runIf(inject('cluster').isOwn)(
  'a controller with watched Secrets and owned ConfigMaps, on a real API server',
  () => {
    let fronted: FrontedServer;
    let connection: Connection;
    let direct: Connection;
    let process: ReturnType<typeof start>;
    const ends: (() => Promise<void>)[] = [];
    /** The names of Secrets that a verdict has missed. */
    const missed: string[] = [];
    const read = async (...args: readonly string[]) =>
      JSON.parse(await fronted.run('get', ...args, '-n', namespace, '-o', 'json'));
    const configMaps = async (): Promise<ReadonlyMap<string, unknown>> => {
      const { items } = await read('configmaps', '-l', 'example.com/owned=yes');
      return new Map(items.map((it: { metadata: { name: string }; data: unknown }) => [it.metadata.name, it.data]));
    };
    const versions = async (): Promise<readonly string[]> =>
      (await read('configmaps', '-l', 'example.com/owned=yes')).items.map(
        (it: { metadata: { resourceVersion: string } }) => it.metadata.resourceVersion,
      );
    const outcome = async () => {
      const { status } = await read('timeoutpolicies.timeouts.example.com', 'slow');
      return status?.ancestors?.[0]?.conditions?.[0]?.reason;
    };
    const areOwned = (data: Readonly<Record<string, unknown>>) =>
      vi.waitFor(async () => expect(Object.fromEntries(await configMaps())).toEqual(data), patience);

    /** Starts a process. */
    function start(options: { readonly connection: Connection } & Pick<PolicyControllerOptions, 'shards'>) {
      const controller = createPolicyController({
        ...options,
        name: 'timeouts.example.com/controller',
        targetKinds: gatewayApi(),
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
        owns: [{ group: '', kind: 'ConfigMap' }],
        onEffective({ view, targets, apply: own }) {
          for (const target of targets) {
            for (const { spec, target: at } of view.of(target)) {
              const metadata = { name: at.ref.name, namespace, labels: { 'example.com/owned': 'yes' } };
              own(target, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { request: spec.request ?? '' } }]);
            }
          }
        },
        log: { debug() {}, info() {}, warn() {}, error() {} },
      });
      const stopping = new AbortController();
      const running = controller.run({ signal: stopping.signal });
      const stop = async () => {
        stopping.abort();
        await running;
      };
      ends.push(stop);
      return { controller, stop };
    }

    beforeAll(async () => {
      fronted = await startFrontedServer();
      await installGatewayApi(accessTo(fronted.server.kubeconfig));
      await fronted.apply(definition);
      await fronted.run('create', 'namespace', namespace);
      const slow = timeouts('slow', 'Gateway', 'edge', { defaults: { request: '10s' } });
      const routes = ['cart', 'menu'].map((it) => route(it, { name: 'edge' }));
      await vi.waitFor(() => fronted.apply(gateway('edge'), ...routes, slow), patience);
      await fronted.run('create', 'secret', 'generic', 'key', '-n', namespace);
      connection = await connect({ server: fronted.proxy.url });
      direct = await connect({ kubeconfig: fronted.server.kubeconfig });
    });
    afterAll(async () => {
      await Promise.all(ends.map((end) => end()));
      for (const it of [connection, direct]) it?.close();
      await fronted?.close();
    });

    it('says of no Secret that it is missing, and plans and calls nothing, before Secrets can be read', async () => {
      const path = '/api/v1/secrets';
      const end = fronted.proxy.fail({ method: 'GET', path, times: Number.POSITIVE_INFINITY, fault: unavailable });
      process = start({ connection });
      const attempts = () => fronted.proxy.requests.filter((it) => it.includes(path)).length;
      await vi.waitFor(() => expect(attempts()).toBeGreaterThanOrEqual(4), patience);
      await vi.waitFor(() => expect(process.controller.heldUpBy.map(({ kind }) => kind)).toEqual(['Secret']), patience);
      expect([await outcome(), await configMaps()]).toEqual([undefined, new Map()]);
      end();
      await vi.waitFor(async () => expect(await outcome()).toBe('Accepted'), patience);
      await areOwned({ cart: { request: '10s' }, menu: { request: '10s' } });
      expect(missed).toEqual([]);
    });

    it('brings back owned objects that others change or delete', async () => {
      await fronted.run('patch', 'configmap', 'cart', '-n', namespace, '-p', '{"data":{"request":"1h"}}');
      await fronted.run('delete', 'configmap', 'menu', '-n', namespace);
      await areOwned({ cart: { request: '10s' }, menu: { request: '10s' } });
    });

    it('sweeps the owned objects of a target that goes while no process runs, and keeps the others', async () => {
      const { metadata } = await read('configmap', 'cart');
      await process.stop();
      await fronted.run('delete', 'httproute', 'menu', '-n', namespace);
      process = start({ connection });
      await areOwned({ cart: { request: '10s' } });
      expect((await read('configmap', 'cart')).metadata.uid).toBe(metadata.uid);
    });

    it('keeps owned objects as they are when their target moves to a replica that joins, which brings them back', async () => {
      await process.stop();
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      const objects = names.flatMap((name) => [
        gateway(name),
        route(name, { name }),
        timeouts(name, 'Gateway', name, { defaults: { request: '1s' } }),
      ]);
      await fronted.apply(...objects);
      const all = { cart: { request: '10s' }, ...Object.fromEntries(names.map((it) => [it, { request: '1s' }])) };
      const shards = { namespace, name: 'owned' };
      start({ connection: direct, shards: { ...shards, identity: 'one' } });
      await areOwned(all);
      const before = await versions();
      const asked = fronted.proxy.requests.length;
      const sent = (request: RegExp) => fronted.proxy.requests.slice(asked).filter((it) => request.test(it)).length;
      start({ connection, shards: { ...shards, identity: 'two' } });
      await vi.waitFor(() => expect(sent(/^PUT .*\/leases\//)).toBeGreaterThan(2), patience); // It has its share by then.
      expect([sent(/^PATCH .*\/configmaps\//), await versions()]).toEqual([0, before]);
      await fronted.run('delete', 'configmap', '-n', namespace, '-l', 'example.com/owned=yes');
      await areOwned(all);
      expect(sent(/^PATCH .*\/configmaps\//)).toBeGreaterThan(0);
      expect(sent(/^PATCH .*\/configmaps\//)).toBeLessThan(names.length + 1);
    });
  },
);
