import { describe, expect, it } from 'vitest';
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

  it('waits longer each time', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', times: 5, do: { status: 409, reason: 'Conflict' } });
    world.server.update(routeLocator('a'), (each) => ({ ...each, status: { by: 'another' } }));
    await world.settle();
    world.want('a', ready);
    await world.settle(400);
    const conflicts = world.outcomes.filter(({ result }) => result === 'conflict');
    expect(conflicts.map(({ retryIn }) => retryIn)).toEqual([10, 20, 40, 80, 160]);
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

describe('another manager that changes written fields', () => {
  const overwrite = (world: Awaited<ReturnType<typeof createWriting>>) => {
    world.server.update(routeLocator('a'), (each) => ({ ...each, status: { by: 'another' } }));
  };

  it('is answered at once, then later and later, and named', async () => {
    const world = await createWriting({ objects });
    world.want('a', ready);
    await world.settle();
    for (let second = 0; second < 60; second += 1) {
      overwrite(world);
      await world.settle();
      world.want('a', ready);
      await world.settle(1000);
    }
    const written = world.outcomes.filter(({ result }) => result === 'written');
    // At once, then after 1, 2, 4, 8, 16 s.
    expect(written.map(({ restorations = 0 }) => restorations)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(written.map(({ rival }) => rival)).toEqual([undefined, undefined, ...Array(5).fill('administrator')]);
  });

  it('does not delay new content', async () => {
    const world = await createWriting({ objects });
    for (let time = 0; time < 6; time += 1) {
      world.want('a', ready);
      await world.settle(time < 3 ? 3000 : 0);
      overwrite(world);
      await world.settle();
    }
    world.want('a', { ready: 'differently' });
    await world.settle();
    expect(world.statusOf('a')).toEqual({ ready: 'differently' });
  });

  it('is not suspected when the object is deleted and created again', async () => {
    const world = await createWriting({ objects });
    for (let time = 0; time < 5; time += 1) {
      world.want('a', ready);
      await world.settle();
      expect(world.statusOf('a')).toEqual(ready);
      world.server.delete(routeLocator('a'));
      world.server.create(route('a'));
      await world.settle();
    }
    expect(world.outcomes.map(({ restorations }) => restorations)).toEqual(Array(5).fill(undefined));
  });
});

describe('422: invalid', () => {
  const invalid = { status: 422, message: 'status.ready: not a string' };

  it('is reported with the reason, and not sent again for a minute as long as the plan is the same', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', times: 1, do: invalid });
    world.want('a', ready);
    await world.settle(30_000);
    world.want('a', ready);
    await world.settle(29_000);
    expect(world.results()).toEqual(['refused']);
    expect(world.outcomes[0]).toMatchObject({
      code: 422,
      message: expect.stringContaining('status.ready: not a string'),
      retryIn: 60_000,
    });
    expect(world.writes()).toHaveLength(1);

    world.want('a', { ready: 'yes' });
    await world.settle();
    expect(world.statusOf('a')).toEqual({ ready: 'yes' });
  });

  it('is tried again later and later, because an admission policy may be taken back', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', times: 3, do: invalid });
    world.want('a', ready);
    await world.settle(60_000 + 120_000 + 240_000 + 1000);
    expect(world.outcomes.map(({ retryIn }) => retryIn)).toEqual([60_000, 120_000, 240_000, undefined]);
    expect(world.statusOf('a')).toEqual(ready);
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

describe.each([400, 405, 413, 415, 451])('%i of the API server', (status) => {
  it('is a refusal: reported, and tried again after a minute', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: { status } });
    world.want('a', ready);
    await world.settle(59_000);
    expect(world.outcomes).toMatchObject([{ result: 'refused', code: status }]);
    expect(world.writes()).toHaveLength(1);
    await world.settle(2000);
    expect(world.statusOf('a')).toEqual(ready);
  });
});

const page = '<html><body>Not now</body></html>';

describe.each([
  ...[301, 307, 400, 403, 404, 405, 407, 409, 413, 421, 422, 451, 503].map((status) => ({ status, text: page })),
  { status: 200, text: page },
  { status: 200, text: '{}' },
  { status: 200, text: '{"metadata":{"name":"another"}}' },
])('$status of a load balancer with the text $text', (answer) => {
  it('is not an answer of the API server: the write is made again at once', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: answer });
    world.want('a', ready);
    await world.settle(1000);
    expect(world.results()).toEqual(['retried', 'written']);
    expect(world.statusOf('a')).toEqual(ready);
  });
});

describe('404', () => {
  it('ends the write when the object is gone, and looks again later as long as the sources have the object', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'watch httproutes', do: 'forget' });
    world.server.delete(routeLocator('a'));
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.outcomes.map(({ result, retryIn }) => [result, retryIn])).toEqual(
      [1000, 2000, 4000, 8000, 16_000, 32_000].map((retryIn) => ['gone', retryIn]),
    );
    expect(world.writer.queued).toBe(0);
  });

  it('ends the write for good when the watch has removed the object', async () => {
    const world = await createWriting({ objects });
    world.server.delete(routeLocator('a'));
    world.want('a', ready);
    await world.settle(60_000);
    expect(world.results()).toEqual(['gone']);
  });

  it('for a path that the server does not know yet does not end the write', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: { status: 404, text: '404 page not found\n' } });
    world.want('a', ready);
    await world.settle(61_000);
    expect(world.statusOf('a')).toEqual(ready);
  });

  it('of a subresource that is absent for a while does not end the write', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes/status', times: 2, do: { status: 404 } });
    world.want('a', ready);
    await world.settle(181_000);
    expect(world.results()).toEqual(['refused', 'refused', 'written']);
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
  it('holds up one object for as long as the server asks, and no other', async () => {
    const world = await createWriting({ objects }, { parallel: 1 });
    world.server.addFaults({ at: 'patch httproutes', do: { status: 429, retryAfter: 7 } });
    for (const name of ['a', 'b', 'c']) world.want(name, ready);
    await world.settle(6900);
    expect(['a', 'b', 'c'].map(world.statusOf)).toEqual([undefined, ready, ready]);
    await world.settle(200);
    expect(world.statusOf('a')).toEqual(ready);
    expect(world.results()).toEqual(['retried', 'written', 'written', 'written']);
  });

  it('stops all writes for as long as the server asks after three objects in a row, and asks then by one write', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const world = await createWriting({ objects: names.map((name) => route(name)) }, { parallel: 1 });
    world.server.addFaults({ at: 'patch httproutes', times: 3, do: { status: 429, retryAfter: 7 } });
    for (const name of names) world.want(name, ready);
    await world.settle(6900);
    expect(world.writes().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    world.server.addFaults({ at: 'patch httproutes', do: { delay: 100 } });
    await world.settle(150);
    expect(world.writes()).toHaveLength(4);
    await world.settle(200);
    expect(names.map(world.statusOf)).toEqual(names.map(() => ready));
  });

  it('stops for half a minute at most', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ at: 'patch httproutes', do: { status: 429, retryAfter: 3600 } });
    world.want('a', ready);
    await world.settle(29_000);
    expect(world.writes()).toHaveLength(1);
    await world.settle(2000);
    expect(world.statusOf('a')).toEqual(ready);
    expect(world.outcomes[0]).toMatchObject({ result: 'retried', retryIn: 30_000 });
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

describe('a write that has failed for a while', () => {
  const failing = { at: 'patch httproutes', do: { status: 500, reason: 'InternalError' } } as const;

  it('is replaced at once by another one: a person has edited the object', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ ...failing, times: 13 });
    world.want('a', ready);
    await world.settle(41_000); // The next attempt would be in 41 s.
    world.want('a', { ready: 'differently' });
    await world.settle();
    expect(world.statusOf('a')).toEqual({ ready: 'differently' });
  });

  it('is made with the first write to its kind that succeeds', async () => {
    const world = await createWriting({ objects });
    const mend = world.server.addFaults({ ...failing, times: 1000 });
    for (const name of ['a', 'b']) world.want(name, ready);
    await world.settle(41_000);
    mend();
    world.want('c', ready);
    await world.settle(1);
    expect(['a', 'b', 'c'].map(world.statusOf)).toEqual([ready, ready, ready]);
  });

  it('is forgotten by a plan that no longer contains it', async () => {
    const world = await createWriting({ objects });
    world.server.addFaults({ ...failing, times: 5 });
    world.want('a', ready);
    await world.settle(100);
    world.writer.cancel(routeLocator('a'));
    await world.settle(60_000);
    expect(world.statusOf('a')).toBeUndefined();
    expect(world.writer.queued).toBe(0);
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

  it('is asked by one write after about a second, however many were in flight', async () => {
    const world = await createWriting({ objects });
    world.server.stop();
    for (const name of ['a', 'b', 'c']) world.want(name, ready);
    await world.settle();
    expect(world.outcomes.map(({ retryIn }) => retryIn)).toEqual([1000, 1000, 1000]);
    await world.settle(3900);
    // After 1 s, 1.5 s and 2.5 s.
    expect(world.outcomes.slice(3).map(({ retryIn }) => retryIn)).toEqual([1500, 2500]);
    world.server.start();
    await world.settle(1200);
    expect(['a', 'b', 'c'].map(world.statusOf)).toEqual([ready, ready, ready]);
  });
});

describe('403: not allowed', () => {
  it('holds back one object that an admission policy refuses, and no other', async () => {
    const world = await createWriting({ objects }, { parallel: 1 });
    const message = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not now";
    world.server.addFaults({ at: 'patch httproutes', times: 2, do: { status: 403, message } });
    for (const name of ['a', 'b', 'c']) world.want(name, ready);
    await world.settle();
    expect(world.statusOf('c')).toEqual(ready);
    expect(world.outcomes.map(({ retryIn }) => retryIn)).toEqual([5000, 5000, undefined]);
    await world.settle(5000);
    expect(['a', 'b'].map(world.statusOf)).toEqual([ready, ready]);
  });

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
