import { setTimeout } from 'node:timers/promises';
import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { accessTo, type ClusterProxy, kubectl, startProxy } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { definition, gateway, route, TimeoutPolicy, timeouts } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import { type FaultProxy, type NetworkFault, startFaultProxy } from './fault-proxy.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

const page = '<html><body><h1>Not now</h1></body></html>';
const pages = [301, 307, 400, 403, 404, 405, 407, 409, 413, 421, 422, 451, 502, 503];

/** The answers that a write may get which are none of the API server. */
const answers: readonly (readonly [what: string, fault: NetworkFault])[] = [
  ...pages.map((status) => [`a page of a load balancer with the status ${status}`, { status, body: page }] as const),
  ['a page of a load balancer with the status 200', { status: 200, body: page }],
  ['404 page not found', { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' }],
  ['200 {}', { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }],
  ['a cut connection', 'cut'],
  ['a connection that is cut when the API server has written', 'lose the answer'],
];

/** The shortest time for which a write waits that is refused, or that the API server asks to be sent later, in milliseconds. */
const pause = 30_000;

/** The answers after which the controller makes such a pause: they ask for an hour, or do not come. */
const pauses: readonly (readonly [what: string, fault: NetworkFault])[] = [
  ['429 with Retry-After: 3600', { status: 429, headers: { 'retry-after': '3600' }, body: 'Too many requests' }],
  ['silence', 'silence'],
];

describe.runIf(inject('cluster').isOwn)('a network between a controller and a real API server', () => {
  let server: ApiServer;
  let direct: ClusterProxy;
  let proxy: FaultProxy;
  let stop: () => Promise<void>;
  const warned: string[] = [];
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly KubernetesObject[]) =>
    run(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const policies = '/timeoutpolicies/';

  let edits = 0;
  /** Edits the policy, and waits until its status is about the edit. */
  const settleEdit = async (): Promise<void> => {
    edits += 1;
    await apply(timeouts('slow', 'Gateway', 'edge', { defaults: { request: `${edits}s` } }));
    await vi.waitFor(async () => {
      const { metadata, status } = JSON.parse(
        await run(['get', 'timeoutpolicies.timeouts.example.com', '-n', 'shop', 'slow', '-o', 'json']),
      );
      const [condition] = status?.ancestors?.[0]?.conditions ?? [];
      expect(condition?.observedGeneration).toBe(metadata.generation);
    }, patience);
  };
  const writesOf = async (work: () => Promise<void>): Promise<number> => {
    const before = proxy.requests.length;
    await work();
    return proxy.requests.slice(before).filter((it) => it.startsWith('PATCH') && it.includes(policies)).length;
  };

  beforeAll(async () => {
    server = await startApiServer();
    await installGatewayApi(accessTo(server.kubeconfig));
    await apply(definition);
    await run(['create', 'namespace', 'shop']);
    direct = await startProxy(accessTo(server.kubeconfig));
    proxy = await startFaultProxy(direct.url);
    const stopping = new AbortController();
    const warn = (message: string) => void warned.push(message);
    const connection = await connect({ server: proxy.url });
    const controller = createPolicyController({
      name: 'timeouts.example.com/controller',
      connection,
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy],
      log: { debug() {}, info() {}, warn, error: warn },
    });
    const running = controller.run({ signal: stopping.signal });
    stop = async () => {
      stopping.abort();
      await running;
      connection.close?.();
    };
    await vi.waitFor(() => apply(gateway('edge'), route('cart', { name: 'edge' })), patience);
    await settleEdit();
  });
  afterAll(async () => {
    await stop?.();
    await proxy?.close();
    await direct?.close();
    await server?.close();
  });

  it('hears at the start how each kind is served by one answer', () => {
    expect(proxy.requests.filter((it) => it === 'GET /api')).toHaveLength(1);
    // Those about kinds that are not installed, for proof: each version once, unless half a second is over.
    const questions = proxy.requests.filter((it) => /^GET \/apis?\/[^/?]+\/[^/?]+$/.test(it));
    const served = ['gatewayclasses', 'gateways', 'httproutes', 'grpcroutes', 'services', 'namespaces'];
    for (const kind of served) expect(proxy.requests.some((it) => it.includes(`/${kind}?`))).toBe(true);
    expect(new Set(questions).size).toBeLessThan(served.length);
  });

  it.runIf(waitsLong)('is asked in an idle minute whether kinds are installed now, and nothing else', async () => {
    const before = proxy.requests.length;
    await setTimeout(60_000);
    const requests = proxy.requests.slice(before);
    expect(requests.every((it) => it === 'GET /apis')).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it.each(answers)(
    'answers a write with %s: the status is current all the same, after one more write',
    async (_what, fault) => {
      proxy.fail({ method: 'PATCH', path: policies, times: 1, fault });
      const began = performance.now();
      const writes = await writesOf(settleEdit);
      expect(performance.now() - began).toBeLessThan(pause);
      // If it was written and the answer was lost, the controller may see that before it writes again.
      expect(writes).toBeGreaterThanOrEqual(fault === 'lose the answer' ? 1 : 2);
      expect(writes).toBeLessThanOrEqual(3);
    },
  );

  it.runIf(waitsLong).each(pauses)(
    'answers a write with %s: the status is current after a pause, and one more write',
    async (_what, fault) => {
      proxy.fail({ method: 'PATCH', path: policies, times: 1, fault });
      const writes = await writesOf(settleEdit);
      expect(writes).toBeGreaterThanOrEqual(2);
      expect(writes).toBeLessThanOrEqual(3);
    },
  );

  it('says above debug that writes fail', () => {
    expect(warned).toContain('statuses of a kind cannot be written');
  });

  it('cuts all connections: the watches go on, and no change is missed', async () => {
    proxy.cut();
    await settleEdit();
  });

  it.runIf(waitsLong).each([502, 404])(
    'answers watches with a page of a load balancer with the status %i: the kind is read when it is over',
    async (status) => {
      proxy.fail({ method: 'GET', path: 'timeoutpolicies', times: 3, fault: { status, body: page } });
      proxy.cut();
      await settleEdit();
    },
  );

  it.runIf(waitsLong)(
    'forgets its connections: they are opened again when they have been silent for too long',
    async () => {
      proxy.silence();
      await settleEdit();
    },
  );
});
