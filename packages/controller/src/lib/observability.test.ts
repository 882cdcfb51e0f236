import { type Transport, TransportError } from '@policy-machinery/cluster';
import { promClient } from '@policy-machinery/observability/prom-client';
import type { Fault } from '@policy-machinery/testing';
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
  through: (transport: Transport) => Transport = (transport) => transport,
) {
  const world = createWorld({ controller });
  prepare(world);
  const port = 20_000 + (process.pid % 20_000);
  const metrics = promClient(new Registry());
  const connection = through(world.server.transport);
  const { stop } = world.start({ connection, probes: { port, host: '127.0.0.1', checks, debug }, metrics });
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

  it('show sources, waiting writes, the last plan and the report at /debug', async () => {
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

  const faults: readonly (readonly [string, Fault['do'], { readonly isMended: boolean }])[] = [
    ['refuses connections', 'refuse', { isMended: false }],
    ['breaks connections', 'drop', { isMended: false }],
    ['is silent', 'halfOpen', { isMended: false }],
    ['answers 500', { status: 500 }, { isMended: false }],
    ['answers 503', { status: 503, retryAfter: 1 }, { isMended: false }],
    ['answers 429', { status: 429, retryAfter: 1 }, { isMended: false }],
    ['answers 403', { status: 403 }, { isMended: false }],
    ['answers 404', { status: 404 }, { isMended: false }],
    ['answers 401', { status: 401 }, { isMended: true }],
  ];

  it.each(faults)(
    'of a follower fail if another process may mend it, when the API server %s for five minutes',
    async (_, fault, it) => {
      const lease = { namespace: 'shop' };
      const { world, read } = await probed(
        ({ start }) => ends.push(start({ lease: { ...lease, identity: 'leader' } }).stop),
        { lease: { ...lease, identity: 'follower' } },
      );
      expect(world.server.get(`lease.coordination.k8s.io:shop/timeouts.example.com-controller`)?.spec).toMatchObject({
        holderIdentity: 'leader',
      });
      const mend = world.server.addFaults({ at: '*', times: 1_000_000, do: fault });
      world.server.disconnect('watch *');
      await world.settle(300_000);
      expect((await read('/healthz'))[0]).toBe(it.isMended ? 500 : 200);
      expect(await read('/readyz')).toEqual([200, 'ok']);
      mend();
      await world.settle(120_000);
      expect(await read('/healthz')).toEqual([200, 'ok']);
    },
  );

  it.each(faults)(
    'fail if another process may mend it, when the API server %s for two minutes in requests for the lease',
    async (_, fault, it) => {
      const { world, read } = await probed(undefined, { lease: { namespace: 'shop' } });
      const mend = world.server.addFaults({ at: '* leases', times: 1_000_000, do: fault });
      await world.settle(100_000);
      expect(await read('/healthz')).toEqual([200, 'ok']);
      await world.settle(30_000);
      const [status, message] = await read('/healthz');
      expect(status).toBe(it.isMended ? 500 : 200);
      expect(message).toContain(it.isMended ? 'the lease has been neither read nor written for' : 'ok');
      mend();
      await world.settle(20_000);
      expect(await read('/healthz')).toEqual([200, 'ok']);
    },
  );

  it('do not fail for one kind that is refused while others are read', async () => {
    const { world, read } = await probed();
    world.server.addFaults({ at: '* httproutes', times: 100_000, do: { status: 401 } });
    world.server.disconnect('watch httproutes');
    await world.settle(600_000);
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });

  it('do not fail for a single refusal after an outage, as of an API server that starts', async () => {
    const { world, read } = await probed();
    world.server.stop();
    await world.settle(300_000);
    world.server.addFaults({ at: '*', times: 1000, do: { status: 401 } });
    world.server.start();
    await world.settle(500);
    for (let second = 0; second < 30; second += 1) {
      expect(await read('/healthz')).toEqual([200, 'ok']);
      await world.settle(1000);
    }
  });

  it('fail when the certificate of the API server is not trusted again and again', async () => {
    let isTrusted = true;
    const { read, world } = await probed(undefined, {}, {}, true, (transport) => ({
      async request(request) {
        if (isTrusted) return transport.request(request);
        throw new TransportError('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain');
      },
    }));
    isTrusted = false;
    world.server.disconnect('watch *');
    await world.settle(60_000);
    const [status, message] = await read('/healthz');
    expect([status, message]).toEqual([500, expect.stringContaining('self-signed certificate')]);
  });

  it('fail when an attempt to renew the lease has not ended for two minutes', async () => {
    let isStuck = false;
    let giveUp = (_: Error) => {};
    const { read, world } = await probed(undefined, { lease: { namespace: 'shop' } }, {}, true, (transport) => ({
      request(request) {
        if (!isStuck || !request.path.includes('/leases')) return transport.request(request);
        return new Promise((_, reject) => {
          giveUp = reject;
        });
      },
    }));
    isStuck = true;
    const mend = async () => {
      isStuck = false;
      giveUp(new Error('given up'));
    };
    ends.unshift(mend); // A stop waits for the attempt.
    await world.settle(100_000);
    expect(await read('/healthz')).toEqual([200, 'ok']);
    await world.settle(30_000);
    const [status, message] = await read('/healthz');
    expect([status, message]).toEqual([500, expect.stringContaining('an attempt does not end')]);
    await mend();
    await world.settle(20_000);
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });
});
