import { describe, expect, it } from 'vitest';
import type { Transport } from '../../index.ts';
import { HTTPRoute, route, routeLocator } from '../source/world.fixture.ts';
import { createWriting } from './writing.fixture.ts';

const ready = { ready: true };
const objects = ['a', 'b', 'c'].map((name) => route(name));

describe('409: the object has changed', () => {
  it('reads the object, plans it again, and writes the result', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'watch httproutes', do: 'forget' });
    world.server.update(routeLocator('a'), (each) => ({ ...each, spec: { hostnames: ['new.example.com'] } }));
    world.want('a', ready);
    await world.settle(10);
    expect(world.results()).toEqual(['conflict', 'written']);
    expect(world.replanned).toEqual(['a']);
    expect(world.statusOf('a')).toEqual(ready);
    expect(world.sources.get(routeLocator('a'))?.spec).toEqual({ hostnames: ['new.example.com'] });
  });

  it('waits longer each time, and names the other client', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', times: 5, do: { status: 409, reason: 'Conflict' } });
    world.server.update(routeLocator('a'), (each) => ({ ...each, status: { by: 'another' } }));
    await world.settle();
    world.want('a', ready);
    await world.settle(400);
    const conflicts = world.outcomes.filter(({ result }) => result === 'conflict');
    expect(conflicts.map(({ retryIn }) => retryIn)).toEqual([10, 20, 40, 80, 160]);
    expect(conflicts.map(({ conflictsInMinute }) => conflictsInMinute)).toEqual([1, 2, 3, 4, 5]);
    expect(conflicts[0]?.rival).toBe('administrator');
    expect(world.statusOf('a')).toEqual(ready);
  });

  it('does not send a write that is known to be outdated', async () => {
    const world = await createWriting({ objects }, { parallel: 1 });
    world.server.addFaults({ at: 'patch httproutes', do: { delay: 1000 } });
    world.want('a', ready);
    world.want('b', ready);
    await world.settle(500);
    world.server.update(routeLocator('b'), (each) => ({ ...each, spec: { hostnames: [] } }));
    await world.settle(600);
    expect(world.results()).toEqual(['written', 'outdated', 'written']);
    expect(world.writes()).toHaveLength(2);
  });
});

describe('422: invalid', () => {
  it('is final: reported with the reason, and not sent again as long as the plan is the same', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({
      at: 'patch httproutes',
      times: 1,
      do: { status: 422, message: 'status.ready: not a string' },
    });
    world.want('a', ready);
    await world.settle(60_000);
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.results()).toEqual(['refused']);
    expect(world.outcomes[0]).toMatchObject({
      code: 422,
      message: expect.stringContaining('status.ready: not a string'),
    });
    expect(world.writes()).toHaveLength(1);

    world.want('a', { ready: 'yes' });
    await world.settle();
    expect(world.statusOf('a')).toEqual({ ready: 'yes' });
  });

  it('is sent again after the object has changed', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', times: 1, do: { status: 422 } });
    world.want('a', ready);
    await world.settle();
    world.server.update(routeLocator('a'), (each) => ({ ...each, spec: { hostnames: [] } }));
    await world.settle();
    world.want('a', ready);
    await world.settle();
    expect(world.statusOf('a')).toEqual(ready);
  });

  it('counts as a conflict when the write was planned from an old version', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'watch httproutes', do: 'forget' }, { at: 'patch httproutes', do: { status: 422 } });
    world.server.update(routeLocator('a'), (each) => ({ ...each, spec: { hostnames: [] } }));
    world.want('a', ready);
    await world.settle(10);
    expect(world.results()).toEqual(['conflict', 'written']);
  });
});

describe.each([400, 413, 415])('%i: refused', (status) => {
  it('is final', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: { status } });
    world.want('a', ready);
    await world.settle(60_000);
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.outcomes).toMatchObject([{ result: 'refused', code: status }]);
    expect(world.writes()).toHaveLength(1);
  });
});

describe('404: the object is gone', () => {
  it('drops the write', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'watch httproutes', do: 'forget' });
    world.server.delete(routeLocator('a'));
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.results()).toEqual(['gone']);
    expect(world.writes()).toHaveLength(1);
  });

  it('does not drop the write when a proxy answers 404', async () => {
    let isMeddling = true;
    const through = (transport: Transport): Transport => ({
      async request(request) {
        const response = await transport.request(request);
        if (request.method !== 'PATCH' || !isMeddling) return response;
        isMeddling = false;
        return { ...response, status: 404, text: async () => '<html>404 Not Found</html>' };
      },
    });
    const world = await createWriting({ objects, through });
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.results()[0]).toBe('retried');
    expect(world.statusOf('a')).toEqual(ready);
    expect(world.writer.queued).toBe(0);
  });

  it('drops writes to objects of a kind that is no longer served', async () => {
    const world = await createWriting({ objects }, { rate: { perSecond: 0.001, burst: 1 } });
    world.want('a', ready);
    world.want('b', ready);
    world.server.uninstall(HTTPRoute);
    await world.settle(2_000_000);
    expect(world.results()).toContain('gone');
    expect(world.writer.queued).toBe(0);
  });
});

describe('429: too many requests', () => {
  it('stops all writes for as long as the server asks', async () => {
    const world = await createWriting({ objects }, { parallel: 1 });
    world.server.addFaults({ at: 'patch httproutes', do: { status: 429, retryAfter: 7 } });
    for (const name of ['a', 'b', 'c']) world.want(name, ready, name === 'c' ? 0 : 2);
    await world.settle(6900);
    expect(world.writes()).toHaveLength(1);
    await world.settle(200);
    expect(world.writes()).toHaveLength(4);
    expect(world.results()).toEqual(['retried', 'written', 'written', 'written']);
  });

  it('stops for a second if the server does not say how long', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: { status: 429 } });
    world.want('a', ready);
    await world.settle(900);
    expect(world.writes()).toHaveLength(1);
    await world.settle(200);
    expect(world.writes()).toHaveLength(2);
  });
});

describe.each([
  ['500', { status: 500 }],
  ['504', { status: 504 }],
  ['a connection that breaks after the write', 'drop'],
] as const)('%s: it may have been written or not', (_, fault) => {
  it('tries again, and writes nothing twice', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: fault });
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.statusOf('a')).toEqual(ready);
    expect(world.writes().filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(world.writer.queued + world.writer.sending).toBe(0);
  });
});

describe('an answer that does not come', () => {
  it('is given up after half a minute', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: 'halfOpen' });
    world.want('a', ready);
    await world.settle(29_000);
    expect(world.outcomes).toEqual([]);
    await world.settle(2000);
    expect(world.statusOf('a')).toEqual(ready);
    expect(world.writer.sending).toBe(0);
  });
});

describe('a server that is away', () => {
  it('stops all writes, and makes them when the server is back', async () => {
    const world = await createWriting({ objects }, { parallel: 1 });
    world.server.stop();
    for (const name of ['a', 'b', 'c']) world.want(name, ready);
    await world.settle(60_000);
    // 1 s, 1.5 s, 2.5 s, … at most 15.5 s apart: not one attempt for each object.
    expect(world.outcomes.length).toBeLessThan(12);
    world.server.start();
    await world.settle(40_000);
    expect(['a', 'b', 'c'].map(world.statusOf)).toEqual([ready, ready, ready]);
  });
});

describe('403: not allowed', () => {
  it('holds back the kind, and goes on when the right is there', async () => {
    const world = await createWriting({ objects }, { parallel: 1 });
    world.server.forbid('patch httproutes');
    for (const name of ['a', 'b', 'c']) world.want(name, ready);
    await world.settle(20_000);
    expect(world.writes().length).toBeLessThan(6);
    expect(world.outcomes[0]).toMatchObject({ result: 'retried', code: 403 });
    world.server.allow();
    await world.settle(61_000);
    expect(['a', 'b', 'c'].map(world.statusOf)).toEqual([ready, ready, ready]);
  });
});
