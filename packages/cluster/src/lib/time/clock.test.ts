import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';

it('calls no function before its time, by the clock that says when that is', async () => {
  const early = Array.from({ length: 2000 }, (_, index) => {
    const ms = 1 + ((index * 7) % 97) / 3;
    const until = systemClock.monotonic() + ms;
    return new Promise<number>((resolve) => {
      systemClock.setTimeout(() => resolve(Math.max(0, until - systemClock.monotonic())), ms);
    });
  });
  expect((await Promise.all(early)).filter((ms) => ms > 0)).toEqual([]);
});
