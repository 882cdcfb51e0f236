import { describe, expect, it } from 'vitest';
import { createFakeApiServer, createFakeClock, type FakeApiServer, type FakeClock, settle } from '../index.ts';

const maps = '/api/v1/namespaces/default/configmaps';

function setUp() {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock });
  server.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
  return { clock, server };
}

const write = ({ transport }: FakeApiServer, path: string, value: string) =>
  transport.request({
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ data: { value } }),
  });

/** Calls a function again and again. */
function repeat(clock: FakeClock, ms: number, run: () => unknown): void {
  clock.setTimeout(() => {
    run();
    repeat(clock, ms, run);
  }, ms);
}

describe('settle', () => {
  it('runs timers until the last request, and returns the writes', async () => {
    const { clock, server } = setUp();
    clock.setTimeout(async () => {
      await write(server, `${maps}/settings`, 'a');
      clock.setTimeout(() => write(server, `${maps}/missing`, 'b'), 30_000);
    }, 1000);
    const writes = await settle({ clock, server });
    expect(writes.map(({ verb, name, status }) => [verb, name, status])).toEqual([
      ['patch', 'settings', 200],
      ['patch', 'missing', 404],
    ]);
    expect(clock.monotonic()).toBe(91_000);
  });

  it('ends at once but for the quiet time when nothing happens', async () => {
    const { clock, server } = setUp();
    expect(await settle({ clock, server, quiet: 10 })).toEqual([]);
    expect(clock.monotonic()).toBe(10);
  });

  it('takes no notice of requests that never end', async () => {
    const { clock, server } = setUp();
    repeat(clock, 2000, () => server.transport.request({ method: 'GET', path: '/apis/coordination.k8s.io/v1/leases' }));
    repeat(clock, 2000, () => write(server, `${maps}/settings`, String(clock.now())));
    expect(await settle({ clock, server, ignore: ['* leases', 'patch configmaps'] })).toEqual([]);
  });

  it('takes no notice of discovery, which a controller repeats for a kind that is not served', async () => {
    const { clock, server } = setUp();
    repeat(clock, 30_000, () =>
      server.transport.request({ method: 'GET', path: '/apis/gateway.networking.k8s.io/v1' }),
    );
    await settle({ clock, server });
    expect(clock.monotonic()).toBe(60_000);
  });

  it('gives up on work without an end, and names it', async () => {
    const { clock, server } = setUp();
    repeat(clock, 10_000, () => write(server, `${maps}/settings`, String(clock.now())));
    await expect(settle({ clock, server, limit: 100_000 })).rejects.toThrow(
      'Not settled after 100 s of the clock: the most frequent request is "patch configmaps default/settings", 10 times.',
    );
  });

  it('waits for other work', async () => {
    const { clock, server } = setUp();
    let isBusy = true;
    clock.setTimeout(() => {
      isBusy = false;
    }, 5000);
    await settle({ clock, server, quiet: 1000, isBusy: () => isBusy });
    expect(clock.monotonic()).toBe(5000);
    await expect(settle({ clock, server, limit: 1, isBusy: () => true })).rejects.toThrow('isBusy says so');
  });
});
