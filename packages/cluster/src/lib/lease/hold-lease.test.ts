import { createFakeApiServer, createFakeClock, type FakeApiServer } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { holdLease, type LeaseOptions, type Transport } from '../../index.ts';

const locator = 'lease.coordination.k8s.io:policies/timeouts';

function createWorld() {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, namespaces: ['policies'] });
  const errors: unknown[] = [];
  const changes: string[] = [];
  /** A replica. Its requests can be cut off without those of others. */
  const candidate = (identity: string, options: Partial<LeaseOptions> = {}) => {
    let isCut = false;
    const transport: Transport = {
      request: (request) =>
        isCut
          ? new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)))
          : server.transport.request(request),
    };
    const lease = holdLease(transport, {
      namespace: 'policies',
      name: 'timeouts',
      identity,
      clock,
      random: () => 0.5,
      onError: (error) => errors.push(error),
      ...options,
    });
    lease.onChange((isHeld) => changes.push(`${identity} ${isHeld ? 'holds' : 'ceased'}`));
    const cut = (isCutNow: boolean) => {
      isCut = isCutNow;
    };
    return { lease, cut };
  };
  return { clock, server, errors, changes, candidate };
}

const specOf = (server: FakeApiServer) => server.get(locator)?.spec;

describe('holdLease', () => {
  it('creates the lease, and renews it every two seconds', async () => {
    const { clock, server, candidate, changes } = createWorld();
    const { lease } = candidate('one');
    expect(lease.isHeld()).toBe(false);
    await clock.advance(0);
    expect(lease.isHeld()).toBe(true);
    expect(lease.holder).toBe('one');
    expect(specOf(server)).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 13,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
    await clock.advance(60_000);
    expect(specOf(server)).toMatchObject({
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:01:00.000000Z',
    });
    const writes = server.requests.filter(({ method }) => method === 'PUT').length;
    expect(writes).toBe(30);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(changes).toEqual(['one holds']);
    await lease.release();
  });

  it('lets one of several hold it', async () => {
    const { clock, candidate } = createWorld();
    const leases = ['one', 'two', 'three'].map((identity) => candidate(identity).lease);
    await clock.advance(0);
    for (let second = 0; second < 120; second += 1) {
      await clock.advance(1000);
      expect(leases.filter((lease) => lease.isHeld())).toHaveLength(1);
    }
  });

  it('passes to another process at once when it is released', async () => {
    const { clock, server, candidate, changes } = createWorld();
    const { lease: one } = candidate('one');
    await clock.advance(0);
    const { lease: two } = candidate('two');
    await clock.advance(10_000);
    await one.release();
    expect(one.isHeld()).toBe(false);
    expect(specOf(server)).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await clock.advance(1000);
    expect(two.isHeld()).toBe(true);
    expect(specOf(server)).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    expect(changes).toEqual(['one holds', 'one ceased', 'two holds']);
  });

  it('is released even if the last renewal was cut off', async () => {
    const { clock, server, candidate } = createWorld();
    const { lease } = candidate('one');
    await clock.advance(0);
    server.addFaults({ at: 'update leases', do: 'halfOpen' });
    await clock.advance(2000);
    await lease.release();
    expect(specOf(server)).toMatchObject({ holderIdentity: '' });
  });

  it('ends 10 s after the last renewal, and another process takes it within 14 s', async () => {
    const { clock, candidate, changes } = createWorld();
    const { lease: one, cut } = candidate('one');
    await clock.advance(0);
    const { lease: two } = candidate('two');
    await clock.advance(4000);
    cut(true);
    await clock.advance(9900);
    expect([one.isHeld(), two.isHeld()]).toEqual([true, false]);
    await clock.advance(200);
    expect([one.isHeld(), two.isHeld()]).toEqual([false, false]);
    expect(changes).toEqual(['one holds', 'one ceased']);
    await clock.advance(3900);
    expect(two.isHeld()).toBe(true);
    cut(false);
    await clock.advance(30_000);
    expect(one.isHeld()).toBe(false);
    expect(one.holder).toBe('two');
    expect(changes).toEqual(['one holds', 'one ceased', 'two holds']);
  });

  it.each([
    ['the first answer', 'create leases', 0],
    ['the answer to a renewal', 'update leases', 2000],
  ] as const)('ends 10 s after the request was sent, however late %s came', async (_, at, sentAt) => {
    const { clock, server, candidate, changes } = createWorld();
    server.addFaults({ at, do: { delay: 4000 } });
    const { lease, cut } = candidate('one');
    await clock.advance(sentAt + 4000);
    expect(lease.isHeld()).toBe(true);
    cut(true);
    await clock.advance(5900);
    expect(lease.isHeld()).toBe(true);
    await clock.advance(200);
    expect(lease.isHeld()).toBe(false);
    expect(changes).toEqual(['one holds', 'one ceased']);
  });

  it('is held by one of two replicas when every answer is late, and when the holder is cut off', async () => {
    const { clock, server, candidate } = createWorld();
    server.addFaults({ at: '* leases', times: 1000, do: { delay: 4000 } });
    const { lease: one, cut } = candidate('one');
    await clock.advance(5000);
    const { lease: two } = candidate('two');
    const held: string[] = [];
    for (let second = 0; second < 60; second += 1) {
      if (second === 20) cut(true);
      await clock.advance(1000);
      held.push([one, two].flatMap((it) => (it.isHeld() ? [it === one ? 'one' : 'two'] : [])).join(' and '));
    }
    expect([...new Set(held)]).toEqual(['one', '', 'two']);
  });

  it('becomes a candidate again after it was lost', async () => {
    const { clock, candidate } = createWorld();
    const { lease: one, cut } = candidate('one');
    await clock.advance(0);
    const { lease: two } = candidate('two');
    cut(true);
    await clock.advance(30_000);
    cut(false);
    await two.release();
    await clock.advance(10_000);
    expect(one.isHeld()).toBe(true);
  });

  it('is not held in the first moment after the process stood still', async () => {
    const { server, errors } = createWorld();
    let monotonic = 0;
    const clock = { ...createFakeClock(), monotonic: () => monotonic };
    const lease = holdLease(server.transport, {
      namespace: 'policies',
      name: 'other',
      clock,
      onError: (error) => errors.push(error),
    });
    await createFakeClock().advance(0);
    expect(lease.isHeld()).toBe(true);
    monotonic += 20_000;
    expect(lease.isHeld()).toBe(false);
  });

  it('is taken anew, and said to be, after the process stood still for too long and nobody else took it', async () => {
    const { server } = createWorld();
    const timers = createFakeClock();
    let stoodStill = 0;
    const clock = { ...timers, monotonic: () => timers.monotonic() + stoodStill };
    const changes: boolean[] = [];
    const lease = holdLease(server.transport, { namespace: 'policies', name: 'other', clock });
    lease.onChange((isHeld) => changes.push(isHeld));
    await timers.advance(0);
    stoodStill = 20_000;
    await timers.advance(2000);
    expect(changes).toEqual([true, false, true]);
  });

  it('is read before it is renewed only if another client has written to it', async () => {
    const { clock, server, candidate, errors } = createWorld();
    let slowPaths = 0;
    const { lease } = candidate('one', { onSlowPath: () => (slowPaths += 1) });
    await clock.advance(60_000);
    expect(slowPaths).toBe(0);
    server.update(locator, ({ metadata, ...it }) => ({ ...it, metadata: { ...metadata, labels: { by: 'a person' } } }));
    await clock.advance(60_000);
    expect(slowPaths).toBe(1);
    expect([lease.isHeld(), errors]).toEqual([true, []]);
  });

  it('does not mind when the time of day jumps', async () => {
    const { clock, candidate, changes } = createWorld();
    candidate('one');
    await clock.advance(0);
    candidate('two');
    await clock.advance(5000);
    clock.skew(3_600_000);
    await clock.advance(30_000);
    clock.skew(-7_200_000);
    await clock.advance(30_000);
    expect(changes).toEqual(['one holds']);
  });

  it.each([
    ['500', { status: 500 }],
    ['a refused connection', 'refuse'],
    ['409', { status: 409 }],
  ] as const)('survives %s for a few seconds', async (_, fault) => {
    const { clock, server, candidate, changes, errors } = createWorld();
    candidate('one');
    await clock.advance(0);
    server.addFaults({ at: 'update leases', times: 3, do: fault });
    await clock.advance(60_000);
    expect(changes).toEqual(['one holds']);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('takes a lease that has been deleted', async () => {
    const { clock, server, candidate } = createWorld();
    const { lease } = candidate('one');
    await clock.advance(0);
    server.delete(locator);
    await clock.advance(3000);
    expect(lease.isHeld()).toBe(true);
    expect(specOf(server)).toMatchObject({ holderIdentity: 'one' });
  });

  it.each([
    ['is created again by the holder, and no candidate takes it', false, ['one']],
    ['is taken when it would have run out if its holder is cut off', true, ['one', '', 'two']],
  ])('that has been deleted %s', async (_, isCutOff, expected) => {
    const { clock, server, candidate } = createWorld();
    const { lease: one, cut } = candidate('one');
    await clock.advance(0);
    const { lease: two } = candidate('two');
    await clock.advance(5000);
    cut(isCutOff);
    server.delete(locator);
    const held: string[] = [];
    for (let passed = 0; passed < 20_000; passed += 100) {
      await clock.advance(100);
      held.push([one, two].flatMap((it) => (it.isHeld() ? [it === one ? 'one' : 'two'] : [])).join(' and '));
    }
    expect([...new Set(held)]).toEqual(expected);
    expect(specOf(server)).toMatchObject({ holderIdentity: expected.at(-1) });
  });

  it('refuses times that do not fit', () => {
    expect(() =>
      holdLease({ request: () => Promise.reject() }, { namespace: 'a', name: 'b', renewDeadline: 20_000 }),
    ).toThrow('the times of lease a/b do not fit: leaseDuration 13000 must be greater than renewDeadline 20000');
  });
});
