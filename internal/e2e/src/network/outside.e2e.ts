import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { refusalOf } from '../refusal.ts';
import { definition, gateway, route, TimeoutPolicy, timeouts } from '../shop.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 500 };

const kind = 'timeoutpolicies.timeouts.example.com';

/** Refuses the statuses of policies with a name. */
const refusing = (name: string) =>
  refusalOf({
    name: 'no-status',
    group: 'timeouts.example.com',
    resource: 'timeoutpolicies/status',
    objects: [name],
    message: 'No statuses today.',
  });

describe.runIf(inject('cluster').isOwn)('a policy controller, with others at work on the same API server', () => {
  let server: ApiServer;
  let stop: () => Promise<void>;
  const configured = new Map<string, unknown>();
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly KubernetesObject[]) =>
    run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const read = async (...args: readonly string[]) =>
    JSON.parse(await run(['get', ...args, '-n', 'shop', '-o', 'json']));
  const conditionOf = async (name: string) => {
    const { metadata, status } = await read(kind, name);
    const [condition] = status?.ancestors?.[0]?.conditions ?? [];
    return { generation: metadata.generation, observed: condition?.observedGeneration, reason: condition?.reason };
  };
  const isCurrent = async (name: string) => {
    const { generation, observed } = await conditionOf(name);
    expect(observed).toBe(generation);
  };
  const cart = 'httproute.gateway.networking.k8s.io:shop/cart';
  const routes = ['cart', 'menu'].map((name) => route(name, { name: 'edge' }));
  const fast = (idle: string) => timeouts('fast', 'HTTPRoute', 'menu', { defaults: { idle } });
  const edge = (request: string) => timeouts('slow', 'Gateway', 'edge', { defaults: { request } });

  beforeAll(async () => {
    server = await startApiServer();
    await installGatewayApi(accessTo(server.kubeconfig));
    await apply(definition);
    await run(['create', 'namespace', 'shop']);
    const stopping = new AbortController();
    const connection = await connect({ kubeconfig: server.kubeconfig });
    const controller = createPolicyController({
      name: 'timeouts.example.com/controller',
      connection,
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy],
      lease: { namespace: 'shop' },
      onEffective({ view, targets }) {
        for (const target of targets) configured.set(target, view.of(target)[0]?.spec.request);
      },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const running = controller.run({ signal: stopping.signal });
    stop = async () => {
      stopping.abort();
      await running;
      connection.close?.();
    };
    await vi.waitFor(() => apply(gateway('edge'), ...routes, edge('1s'), fast('1s')), patience);
    for (const name of ['slow', 'fast']) await vi.waitFor(() => isCurrent(name), patience);
  });
  afterAll(async () => {
    await stop?.();
    await server?.close();
  });

  it('writes a status that an admission policy has refused when the policy is taken back, and others meanwhile', async () => {
    await apply(...refusing('slow'));
    await vi.waitFor(async () => {
      // The admission policy works a moment after it is created.
      const patch = JSON.stringify({ status: { ancestors: [] } });
      const args = ['patch', kind, 'slow', '-n', 'shop', '--subresource=status', '--type=merge', '-p', patch];
      await expect(run([...args, '--dry-run=server'])).rejects.toThrow('No statuses today.');
    }, patience);
    await apply(edge('2s'), fast('2s'));
    await vi.waitFor(() => isCurrent('fast'), patience);
    const { generation, observed } = await conditionOf('slow');
    expect(observed).toBeLessThan(generation);
    await run(['delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy', 'no-status']);
    await vi.waitFor(() => isCurrent('slow'), patience);
  });

  it('answers a rival that takes its conditions away less and less often, and names the rival in an event', async () => {
    const patch = JSON.stringify({ status: { ancestors: [] } });
    const args = ['patch', kind, 'fast', '-n', 'shop', '--subresource=status', '--type=merge', '-p', patch];
    const begun: number[] = [];
    for (let revert = 0; revert < 5; revert += 1) {
      begun.push(Date.now());
      await run([...args, '--field-manager=rival']);
      await vi.waitFor(() => isCurrent('fast'), patience);
    }
    // At least 4 s after the answer before, which came after its revert. A busy machine makes the waits longer.
    expect(Date.now() - (begun.at(-2) ?? 0)).toBeGreaterThan(4000);
    await vi.waitFor(async () => {
      const { items } = await read('events.events.k8s.io');
      const notes = items.filter(({ reason }: { reason: string }) => reason === 'StatusConflict');
      expect(JSON.stringify(notes)).toContain('rival');
    }, patience);
  });

  it('takes the state of a backup that is restored, also over versions that look newer', async () => {
    await apply(edge('5s'));
    await vi.waitFor(() => expect(configured.get(cart)).toBe('5s'), patience);
    await server.kill();
    const restore = server.backUp();
    await server.start();
    await vi.waitFor(() => apply(edge('6s')), patience);
    await vi.waitFor(() => expect(configured.get(cart)).toBe('6s'), patience);
    await vi.waitFor(() => isCurrent('slow'), patience);
    await server.kill();
    restore();
    await server.start();
    const restoredAt = Date.now();
    // Long before a watch ends, and everything is read again anyway.
    await vi.waitFor(() => expect(configured.get(cart)).toBe('5s'), { ...patience, timeout: 240_000 });
    await vi.waitFor(async () => expect((await read(kind, 'slow')).spec.defaults.request).toBe('5s'), patience);
    await vi.waitFor(() => isCurrent('slow'), patience);
    console.info(`backup: the state before counts ${Date.now() - restoredAt} ms after the API server is back`);
  });
});
