import { sleep } from '@policy-machinery/cluster/inner';
import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { Rounds } from './rounds.ts';

/** Runs rounds that fail as told, and returns the pause after each failure in milliseconds. */
async function pausesAfter(...outcomes: readonly ('fails' | 'succeeds')[]): Promise<readonly number[]> {
  const clock = createFakeClock();
  const pauses: number[] = [];
  const left = [...outcomes];
  const rounds = new Rounds({
    clock,
    onFailure: (_, retryIn) => pauses.push(retryIn),
  });
  rounds.start(() => (left.shift() === 'fails' ? Promise.reject(new Error('no luck')) : Promise.resolve()));
  while (left.length > 0) await rounds.run();
  expect(rounds.retryIn).toBe(outcomes.at(-1) === 'fails' ? pauses.at(-1) : 0);
  rounds.close();
  return pauses;
}

describe('rounds that are due soon', () => {
  it('do not pile up while one takes long', async () => {
    const clock = createFakeClock();
    let begun = 0;
    const rounds = new Rounds({ clock, onFailure() {} });
    rounds.start(() => {
      begun += 1;
      return sleep(clock, 1000);
    });
    for (let at = 0; at < 10_000; at += 100) {
      rounds.runSoon();
      await clock.advance(100);
    }
    expect(begun).toBe(10);
    await clock.advance(1100);
    expect(begun).toBe(11);
    rounds.close();
  });
});

describe('the pause after a round that failed', () => {
  it('doubles from a second to half a minute', async () => {
    const pauses = await pausesAfter('fails', 'fails', 'fails', 'fails', 'fails', 'fails', 'fails');
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('is a second again after a round that succeeded', async () => {
    expect(await pausesAfter('fails', 'fails', 'fails', 'succeeds', 'fails')).toEqual([1000, 2000, 4000, 1000]);
    expect(await pausesAfter('fails', 'succeeds')).toEqual([1000]);
  });
});
