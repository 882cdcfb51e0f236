import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { promClient } from '../prom-client.ts';
import { at, createWorld, TimeoutPolicy } from './world.fixture.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts a controller with probes, and returns what reads them. */
async function probed(prepare: (world: ReturnType<typeof createWorld>) => void = () => {}) {
  const world = createWorld();
  prepare(world);
  const port = 20_000 + (process.pid % 20_000);
  const metrics = promClient(new Registry());
  const { stop } = world.start({ probes: { port, host: '127.0.0.1', debug: true }, metrics });
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
    const [, explained] = await read(`/debug/policies/${at.route('cart')}`);
    expect(JSON.parse(explained)).toEqual({
      [TimeoutPolicy.kind]: [{ spec: { request: '10s' }, origins: [{ pointer: '', by: ['shop/slow'] }] }],
    });
  });

  it('say which kind holds the controller up, and why', async () => {
    const { read } = await probed(({ server }) => {
      server.forbid('list httproutes');
      server.forbid('watch httproutes');
    });
    const [status, message] = await read('/readyz');
    expect(status).toBe(500);
    expect(message).toContain('HTTPRoute.gateway.networking.k8s.io');
    expect(await read('/healthz')).toEqual([200, 'ok']);
  });
});
