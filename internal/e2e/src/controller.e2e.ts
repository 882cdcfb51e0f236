import { setTimeout } from 'node:timers/promises';
import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from './api-server.ts';
import { accessTo, kubectl } from './cluster.ts';
import { installGatewayApi } from './gateway-api.ts';
import { definition, gateway, route, TimeoutPolicy, timeouts } from './shop.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

describe.runIf(inject('cluster').isOwn)('a policy controller on a real API server', () => {
  let server: ApiServer;
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly KubernetesObject[]) =>
    run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const conditionsOf = async (name: string): Promise<readonly string[]> => {
    const { status = {} } = JSON.parse(
      await run(['get', 'timeoutpolicies.timeouts.example.com', '-n', 'shop', name, '-o', 'json']),
    );
    const [ancestor] = status.ancestors ?? [];
    return (ancestor?.conditions ?? []).map(
      ({ type, status, reason }: Record<string, string>) => `${type}=${status}/${reason}`,
    );
  };
  const [enforced, overridden] = ['Programmed=True/Programmed', 'Programmed=False/Overridden'];
  let stop: () => Promise<void>;
  const configured = new Map<string, unknown>();

  beforeAll(async () => {
    server = await startApiServer();
    await installGatewayApi(accessTo(server.kubeconfig));
    await apply(definition);
    await run(['create', 'namespace', 'shop']);
    const stopping = new AbortController();
    const controller = createPolicyController({
      name: 'timeouts.example.com/controller',
      connection: await connect({ kubeconfig: server.kubeconfig }),
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy],
      lease: { namespace: 'shop' },
      onEffective({ view, targets }) {
        for (const target of targets) configured.set(target, view.of(target)[0]?.spec);
      },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const running = controller.run({ signal: stopping.signal });
    stop = async () => {
      stopping.abort();
      await running;
    };
  });
  afterAll(async () => {
    await stop?.();
    await server?.close();
  });

  it('writes statuses, and passes effective policies on', async () => {
    await vi.waitFor(
      () =>
        apply(
          gateway('edge'),
          route('cart', { name: 'edge' }),
          timeouts('slow', 'Gateway', 'edge', { defaults: { request: '10s' } }),
        ),
      patience,
    );
    await vi.waitFor(async () => expect(await conditionsOf('slow')).toContain(enforced), patience);
    expect(configured.get('httproute.gateway.networking.k8s.io:shop/cart')).toEqual({ request: '10s' });
    const status = JSON.parse(await run(['get', 'gateways', '-n', 'shop', 'edge', '-o', 'json'])).status;
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'timeouts.example.com/TimeoutPolicyAffected' }),
    );
  });

  it('writes no more once the statuses are accurate', async () => {
    const versionOf = async () =>
      JSON.parse(await run(['get', 'timeoutpolicies.timeouts.example.com', '-n', 'shop', 'slow', '-o', 'json']))
        .metadata.resourceVersion;
    const before = await versionOf();
    await setTimeout(3000); // Long enough for a hot loop to show.
    expect(await versionOf()).toBe(before);
  });

  it('continues after the API server has died and forgotten the past', async () => {
    await server.kill();
    await server.start();
    await vi.waitFor(() => apply(timeouts('fast', 'HTTPRoute', 'cart', { overrides: { request: '1s' } })), patience);
    server.compact();
    await vi.waitFor(async () => expect(await conditionsOf('fast')).toContain(enforced), patience);
    await vi.waitFor(async () => expect(await conditionsOf('slow')).toContain(overridden), patience);
    expect(configured.get('httproute.gateway.networking.k8s.io:shop/cart')).toEqual({ request: '1s' });
  });

  it('continues when its CustomResourceDefinition is deleted and created again', async () => {
    await run(['delete', 'crd', definition.metadata.name]);
    await vi.waitFor(
      () => expect(configured.get('httproute.gateway.networking.k8s.io:shop/cart')).toBeUndefined(),
      patience,
    );
    await apply(definition);
    await vi.waitFor(() => apply(timeouts('again', 'Gateway', 'edge', { defaults: { idle: '5s' } })), patience);
    await vi.waitFor(async () => expect(await conditionsOf('again')).toContain(enforced), patience);
  });
});
