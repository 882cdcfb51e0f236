import { promClient } from '@policy-machinery/observability/prom-client';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DebugOptions, PolicyControllerOptions, ProbeOptions } from '../index.ts';
import { at, createWorld, route, TimeoutPolicy, timeouts } from './world.fixture.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts a controller with probes, and returns functions that read them. */
async function probed(
  prepare: (world: ReturnType<typeof createWorld>) => void = () => {},
  controller: Partial<PolicyControllerOptions> = {},
  checks: ProbeOptions['checks'] = {},
  debug: ProbeOptions['debug'] = true,
) {
  const world = createWorld({ controller });
  prepare(world);
  const port = 20_000 + (process.pid % 20_000);
  const metrics = promClient(new Registry());
  const { stop } = world.start({ probes: { port, host: '127.0.0.1', checks, debug }, metrics });
  ends.push(stop);
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()] as const;
  };
  await vi.waitFor(() => read('/healthz'), { timeout: 30_000 }); // Until the port is open.
  await world.settle();
  return { world, read };
}

describe('the probes of a controller', () => {
  it('say that all kinds are known, and show metrics and effective policies', async () => {
    const { read } = await probed();
    expect(await read('/readyz')).toEqual([200, 'ok']);
    expect(await read('/healthz')).toEqual([200, 'ok']);
    const [, metrics] = await read('/metrics');
    expect(metrics).toContain(
      'policy_machinery_source_state{kind="httproute.gateway.networking.k8s.io",state="synced"} 1',
    );
    expect(metrics).toMatch(/policy_machinery_status_writes_total\{.*result="written"\} 1/);
    expect(metrics).toMatch(/rest_client_requests_total\{code="200",method="PATCH"/);
    expect(metrics).toContain(
      'policy_machinery_policies{kind="timeoutpolicy.timeouts.example.com",outcome="enforced"} 1',
    );
    expect(metrics).toContain('policy_machinery_effective_contexts{kind="timeoutpolicy.timeouts.example.com"} 1');
    expect(metrics).toContain(
      'workqueue_depth{name="status",controller="timeouts.example.com/controller",priority="3"} 0',
    );
    expect(metrics).toMatch(/workqueue_work_duration_seconds_count\{.*\} 2/);
    const [, explained] = await read(`/debug/policies/${at.route('cart')}`);
    expect(JSON.parse(explained)).toEqual({
      [TimeoutPolicy.kind]: [{ spec: { request: '10s' }, origins: [{ pointer: '', by: ['shop/slow'] }] }],
    });
  });

  it('show sources, what waits, the last plan and the report at /debug', async () => {
    const report: DebugOptions['report'] = ({ topology, views, title }) =>
      `<h1>${title}: ${views.map(({ kind }) => kind.kind)} at ${topology.get(at.route('cart'))?.locator}</h1>`;
    const { read, world } = await probed(undefined, undefined, undefined, { report });
    world.server.addFaults({ at: 'patch timeoutpolicies', times: 100, do: { status: 429, retryAfter: 20 } });
    world.server.create(timeouts('quick', 'Gateway edge', { idle: '1s' }));
    await world.settle(2000);
    const [, page] = await read('/debug');
    const [, state = ''] = page.split(/<pre>|<\/pre>/);
    expect(JSON.parse(state.replaceAll('&quot;', '"'))).toMatchObject({
      controller: 'timeouts.example.com/controller',
      isLeader: true,
      heldUpBy: [],
      sources: { 'timeoutpolicy.timeouts.example.com': { phase: 'synced' } },
      writesWaiting: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      lastPlan: { writes: expect.any(Number) },
      quarantined: [],
    });
    const { writesWaiting, lastPlan } = JSON.parse(state.replaceAll('&quot;', '"'));
    expect(writesWaiting.some((count: number) => count > 0)).toBe(true);
    expect(lastPlan.writes).toBeGreaterThan(0);
    expect(await read('/debug/report')).toEqual([
      200,
      `<h1>timeouts.example.com/controller: TimeoutPolicy at ${at.route('cart')}</h1>`,
    ]);
  });

  it('say how to get the report, if there is none', async () => {
    const { read } = await probed();
    const [status, body] = await read('/debug/report');
    expect([status, body]).toEqual([200, expect.stringContaining('Install @policy-machinery/report')]);
  });

  it('name the kind that holds the controller up, with the reason', async () => {
    const { read } = await probed(({ server }) => {
      server.forbid('list httproutes');
      server.forbid('watch httproutes');
    });
    const [status, message] = await read('/readyz');
    expect(status).toBe(500);
    expect(message).toContain('HTTPRoute.gateway.networking.k8s.io');
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });

  it('make checks of your own, too', async () => {
    let fault: string | undefined;
    const checks = { readyz: [{ name: 'proxy', check: () => fault }] };
    const { read } = await probed(() => {}, {}, checks);
    expect(await read('/readyz')).toEqual([200, 'ok']);
    fault = 'the proxy is not connected';
    const [status, message] = await read('/readyz');
    expect(status).toBe(500);
    expect(message).toContain('[-]proxy failed: the proxy is not connected');
  });

  it('count policies again as they come, change and go', async () => {
    const { world, read } = await probed();
    const counts = async () => {
      const [, metrics] = await read('/metrics');
      return [...metrics.matchAll(/^policy_machinery_policies\{.*outcome="(.*)"\} (\d+)$/gm)].map(
        ([, outcome, count]) => `${outcome} ${count}`,
      );
    };
    world.server.create(timeouts('fast', 'HTTPRoute cart', { overrides: { request: '1s' } }));
    world.server.create(timeouts('lost', 'HTTPRoute nowhere', { idle: '1s' }));
    await world.settle();
    expect((await counts()).toSorted()).toEqual(['enforced 1', 'overridden 1', 'target-not-found 1']);
    world.server.delete(at.policy('fast'));
    world.server.delete(at.policy('lost'));
    await world.settle();
    expect(await counts()).toEqual(['enforced 1']);
  });

  it('are ok while a kind is stale: its known objects still count', async () => {
    const { world, read } = await probed();
    world.server.addFaults(
      { at: 'watch httproutes', times: 1000, do: { status: 500 } },
      { at: 'list httproutes', times: 1000, do: { status: 500 } },
      { at: 'watch httproutes', do: 'drop' },
    );
    world.server.create(route('late', 'edge'));
    await world.settle(60_000);
    const [, metrics] = await read('/metrics');
    expect(metrics).toContain(
      'policy_machinery_source_state{kind="httproute.gateway.networking.k8s.io",state="stale"} 1',
    );
    expect(await read('/readyz')).toEqual([200, 'ok']);
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });

  it('fail when the credentials are refused again and again, so that a new pod gets new ones', async () => {
    const { world, read } = await probed();
    world.server.addFaults({ at: '*', times: 1000, do: { status: 401 } });
    world.server.disconnect('watch *');
    await world.settle(60_000);
    const [status, message] = await read('/healthz');
    expect([status, message]).toEqual([500, expect.stringContaining('401')]);
  });

  it('do not fail for a kind that is not installed once the credentials are accepted again', async () => {
    const { world, read } = await probed();
    world.server.uninstall({ group: 'gateway.networking.k8s.io', kind: 'TCPRoute' });
    await world.settle(120_000);
    const accept = world.server.addFaults({ at: '*', times: 100_000, do: { status: 401 } });
    world.server.disconnect('watch *');
    await world.settle(120_000);
    expect((await read('/healthz'))[0]).toBe(500);
    accept();
    await world.settle(120_000);
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });

  it('fail when there has been no answer about the lease for two minutes', async () => {
    const { world, read } = await probed(undefined, { lease: { namespace: 'shop' } });
    const answer = world.server.addFaults({ at: '* leases', times: 100_000, do: { status: 503 } });
    await world.settle(100_000);
    expect(await read('/healthz')).toEqual([200, 'ok']);
    await world.settle(30_000);
    const [status, message] = await read('/healthz');
    expect([status, message]).toEqual([500, expect.stringContaining('the lease has been neither read nor written')]);
    answer();
    await world.settle(20_000);
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });
});
