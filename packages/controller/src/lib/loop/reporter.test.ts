import type { StatusWrite } from '@policy-machinery/policy-status';
import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import type { MemoryUse } from '../memory/memory-use.ts';
import { createWorld, timeouts } from '../world.fixture.ts';
import { Reporter } from './reporter.ts';

function reporting(memory: () => MemoryUse) {
  const warnings: unknown[] = [];
  const log = { debug() {}, info() {}, warn: (...all: unknown[]) => void warnings.push(all), error() {} };
  const clock = createFakeClock();
  return {
    warnings,
    reporter: new Reporter({
      log,
      clock,
      memory,
      events: undefined,
      lease: undefined,
      policyKinds: new Set(),
      staleAfter: 1,
    }),
  };
}

describe('conditions that another controller changes', () => {
  it('lead to one warning, at the third restoration in a row', () => {
    const { reporter, warnings } = reporting(() => ({ limit: undefined, heapLimit: 2096, peak: 60 }));
    const ref = { group: 'timeouts.example.com', kind: 'TimeoutPolicy', namespace: 'shop', name: 'slow' };
    const write = { locator: 'timeoutpolicy.timeouts.example.com:shop/slow', ref } as StatusWrite;
    const warned = [0, 1, 2, 3, 4, 5].map((restorations) => {
      reporter.wrote({ write, result: 'written', took: 1, restorations, rival: 'another-one' });
      return warnings.length;
    });
    expect(warned).toEqual([0, 0, 0, 1, 1, 1]);
    expect(warnings).toEqual([[expect.any(String), { object: write.locator, rival: 'another-one' }]]);
  });
});

describe('advice on memory', () => {
  it('is logged as a warning at the start and after the first round, each sentence once', () => {
    let use: MemoryUse = { limit: 256, heapLimit: 2096, peak: 60 };
    const { reporter, warnings } = reporting(() => use);
    reporter.started();
    reporter.loaded();
    expect(warnings).toEqual([['memory', { advice: expect.stringContaining('--max-old-space-size=200') }]]);
    use = { ...use, peak: 240 };
    reporter.loaded();
    expect(warnings.slice(1)).toEqual([
      ['memory', { advice: expect.stringContaining('has needed 240 MiB of the 256 MiB') }],
    ]);
  });

  it('follows the peak of memory, which is logged once, when everything is computed', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    for (const route of ['HTTPRoute cart', 'HTTPRoute menu']) {
      world.server.create(timeouts(route.slice(10), route, { idle: '1s' }));
      await world.settle();
    }
    await stop();
    expect(world.logged.filter((it) => it.includes('everything is computed'))).toEqual([
      expect.stringMatching(/^info: everything is computed {"peakMiB":[1-9]\d+}$/),
    ]);
  });
});
