import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from './api-server.ts';
import { accessTo, kubectl } from './cluster.ts';
import { installGatewayApi } from './gateway-api.ts';
import { refusalOf } from './refusal.ts';
import { definition, gateway, route, TimeoutPolicy, timeouts } from './shop.ts';
import { waitsLong } from './waits-long.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

const finalizer = 'timeouts.example.com/cleanup';
const cart = 'httproute.gateway.networking.k8s.io:shop/cart';
const menu = 'httproute.gateway.networking.k8s.io:shop/menu';

describe.runIf(inject('cluster').isOwn)('a finalizer on a real API server', () => {
  let server: ApiServer;
  let stop = async () => {};
  /** What is outside of the cluster, by target. */
  const cloud = new Map<string, unknown>();
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly KubernetesObject[]) =>
    run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const routes = async (): Promise<readonly KubernetesObject[]> =>
    JSON.parse(await run(['get', 'httproutes', '-n', 'shop', '-o', 'json'])).items;
  const finalizers = async () =>
    (await routes()).map(({ metadata }) => ('finalizers' in metadata ? metadata.finalizers : []));

  /** Starts a process, once the one before has stopped. */
  async function start() {
    const connection = await connect({ kubeconfig: server.kubeconfig });
    const stopping = new AbortController();
    const controller = createPolicyController({
      name: 'timeouts.example.com/controller',
      connection,
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy],
      finalizer,
      onEffective({ view, targets, gone }) {
        for (const target of targets) {
          if (gone.includes(target)) cloud.delete(target);
          else cloud.set(target, view.of(target)[0]?.spec);
        }
      },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const running = controller.run({ signal: stopping.signal });
    stop = async () => {
      stopping.abort();
      await running;
      connection.close?.();
    };
  }

  beforeAll(async () => {
    server = await startApiServer();
    await installGatewayApi(accessTo(server.kubeconfig));
    await apply(definition);
    await run(['create', 'namespace', 'shop']);
    await vi.waitFor(
      () =>
        apply(
          gateway('edge'),
          route('cart', { name: 'edge' }),
          timeouts('slow', 'Gateway', 'edge', { defaults: { request: '10s' } }),
        ),
      patience,
    );
    await start();
  });
  afterAll(async () => {
    await stop();
    await server?.close();
  });

  it('keeps a route that is deleted while no process runs, until one has cleaned up', async () => {
    await vi.waitFor(() => expect(cloud.get(cart)).toEqual({ request: '10s' }), patience);
    expect(await finalizers()).toEqual([[finalizer]]);
    await stop();
    await run(['delete', 'httproute', '-n', 'shop', 'cart', '--wait=false']);
    expect(await finalizers()).toEqual([[finalizer]]);
    await start();
    await vi.waitFor(async () => expect(await routes()).toEqual([]), patience);
    expect(cloud.has(cart)).toBe(false);
  });

  it('is put on a route of the same name that comes later, and goes with the last policy about it', async () => {
    await apply(route('cart', { name: 'edge' }));
    await vi.waitFor(() => expect(cloud.has(cart)).toBe(true), patience);
    expect(await finalizers()).toEqual([[finalizer]]);
    await run(['delete', 'timeoutpolicies.timeouts.example.com', '-n', 'shop', 'slow']);
    await vi.waitFor(async () => expect(await finalizers()).toEqual([[]]), patience);
    expect(cloud.has(cart)).toBe(false);
  });

  it.runIf(waitsLong)(
    'that an admission policy refuses holds up its target alone, until the policy is taken back',
    async () => {
      const group = 'gateway.networking.k8s.io';
      const about = {
        name: 'no-finalizers',
        group,
        resource: 'httproutes',
        objects: ['menu'],
        message: 'No finalizers.',
      };
      await apply(...refusalOf({ ...about, if: 'has(object.metadata.finalizers)' }), route('menu', { name: 'edge' }));
      await vi.waitFor(async () => {
        // The admission policy works a moment after it is created.
        const patch = ['patch', 'httproute', '-n', 'shop', 'menu', '--type=merge', '--dry-run=server'];
        const added = run([...patch, '-p', JSON.stringify({ metadata: { finalizers: [finalizer] } })]);
        await expect(added).rejects.toThrow('No finalizers.');
      }, patience);
      await apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: '5s' } }));
      await vi.waitFor(() => expect(cloud.get(cart)).toEqual({ request: '5s' }), patience);
      expect(cloud.has(menu)).toBe(false);
      await run(['delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy', 'no-finalizers']);
      await vi.waitFor(() => expect(cloud.get(menu)).toEqual({ request: '5s' }), patience);
    },
  );
});
