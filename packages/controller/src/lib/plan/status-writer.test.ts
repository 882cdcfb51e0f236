import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
import { createWorld, gateway, route, timeouts } from '../world.fixture.ts';

/** Counts calls by turns of the event loop. */
function countByTurn() {
  const counts: number[] = [];
  let inTurn = 0;
  return {
    counts,
    count() {
      if (inTurn === 0) {
        setImmediate(() => {
          counts.push(inTurn);
          inTurn = 0;
        });
      }
      inTurn += 1;
    },
  };
}

const many = Array.from({ length: 50 }, (_, index) => index);

describe('a plan of everything', () => {
  it('plans few statuses between two turns of the event loop', async () => {
    const turns = countByTurn();
    const conditions = () => {
      turns.count();
      return [];
    };
    const objects = [
      gateway('edge'),
      ...many.map((index) => route(`r-${index}`, 'edge')),
      ...many.map((index) => timeouts(`p-${index}`, `HTTPRoute r-${index}`, { request: '1s' })),
    ];
    const world = createWorld({ objects, controller: { status: { conditions }, writes: { perSecond: 1, burst: 1 } } });
    const { stop } = world.start();
    await world.settle(60_000);
    await stop();
    const { counts } = turns;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(many.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  });

  it('is not repeated for writes that wait', async () => {
    let planned = 0;
    const conditions = () => {
      planned += 1;
      return [];
    };
    const objects = [
      gateway('edge'),
      ...many.map((index) => timeouts(`p-${index}`, 'Gateway edge', { request: '1s' })),
    ];
    const writes = { perSecond: 0.001, burst: 1 };
    const world = createWorld({ objects, controller: { status: { conditions }, writes } });
    const { stop } = world.start();
    await world.settle();
    for (const index of [1, 2, 3]) {
      world.server.create(route(`r-${index}`));
      await world.settle();
    }
    expect(planned).toBeGreaterThanOrEqual(many.length);
    expect(planned).toBeLessThanOrEqual(many.length + 1); // The policy that has been written to is looked at again.
    await stop();
  });
});
