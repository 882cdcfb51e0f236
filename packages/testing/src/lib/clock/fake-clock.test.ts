import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../index.ts';

describe('createFakeClock', () => {
  it('stands still until it is moved', async () => {
    const clock = createFakeClock({ now: '2026-01-12T09:00:00Z' });
    expect([clock.now(), clock.monotonic()]).toEqual([Date.parse('2026-01-12T09:00:00Z'), 0]);
    await clock.advance(1500);
    expect([clock.now(), clock.monotonic()]).toEqual([Date.parse('2026-01-12T09:00:01.500Z'), 1500]);
  });

  it('runs timers in the order of their times, then in the order of setting', async () => {
    const clock = createFakeClock();
    const calls: [string, number][] = [];
    const call = (name: string) => () => calls.push([name, clock.monotonic()]);
    clock.setTimeout(call('late'), 20);
    clock.setTimeout(call('first'), 10);
    clock.setTimeout(call('second'), 10);
    clock.setTimeout(call('never'), 31);
    await clock.advance(30);
    expect(calls).toEqual([
      ['first', 10],
      ['second', 10],
      ['late', 20],
    ]);
  });

  it('lets promises and setImmediate go on before the next timer', async () => {
    const clock = createFakeClock();
    const calls: string[] = [];
    clock.setTimeout(async () => {
      await Promise.resolve();
      for (let slice = 0; slice < 3; slice += 1) await new Promise((resolve) => setImmediate(resolve));
      calls.push('sliced');
    }, 10);
    clock.setTimeout(() => calls.push('next'), 10);
    await clock.advance(10);
    expect(calls).toEqual(['sliced', 'next']);
  });

  it('runs timers that other timers set, if they are due', async () => {
    const clock = createFakeClock();
    const calls: number[] = [];
    const tick = () => {
      calls.push(clock.monotonic());
      clock.setTimeout(tick, 10);
    };
    tick();
    await clock.advance(25);
    expect([calls, clock.timers, clock.nextTimer]).toEqual([[0, 10, 20], 1, 5]);
  });

  it('moves once for each call, although the calls overlap', async () => {
    const clock = createFakeClock();
    const calls: number[] = [];
    for (const time of [10, 20]) clock.setTimeout(() => calls.push(clock.monotonic()), time);
    await Promise.all([clock.advance(10), clock.advance(10)]);
    expect([calls, clock.monotonic()]).toEqual([[10, 20], 20]);
  });

  it('moves beside another clock', async () => {
    const clocks = [createFakeClock(), createFakeClock()];
    await Promise.all(clocks.map((clock) => clock.advance(10)));
    expect(clocks.map((clock) => clock.monotonic())).toEqual([10, 10]);
  });

  it('does not run a timer that is cancelled', async () => {
    const clock = createFakeClock();
    const cancel = clock.setTimeout(() => expect.unreachable(), 10);
    cancel();
    await clock.advance(10);
    expect([clock.timers, clock.nextTimer]).toEqual([0, undefined]);
  });

  it('sets the wall clock back without touching timers', async () => {
    const clock = createFakeClock({ now: '2026-01-12T09:00:00Z' });
    clock.skew(-3_600_000);
    await clock.advance(1);
    expect([clock.now(), clock.monotonic()]).toEqual([Date.parse('2026-01-12T08:00:00.001Z'), 1]);
  });

  it('refuses an invalid time', async () => {
    await expect(createFakeClock().advance(-1)).rejects.toThrow('use skew to set the wall clock back');
    expect(() => createFakeClock({ now: 'today' })).toThrow('"today" is not a time; write one such as');
  });

  it('reports a loop without an end', async () => {
    const clock = createFakeClock();
    let isOver = false;
    const loop = () => {
      if (!isOver) setImmediate(loop);
    };
    loop();
    await expect(clock.advance(1)).rejects.toThrow('look for a loop over setImmediate');
    isOver = true;
  });
});
