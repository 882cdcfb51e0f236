import { execFileSync } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { memoryAdvice } from './memory-advice.ts';
import { type MemoryUse, memoryUse } from './memory-use.ts';

describe('memoryAdvice', () => {
  it.each<[string, MemoryUse]>([
    ['without a limit', { limit: undefined, heapLimit: 4144, peak: 100 }],
    ['with what the example is deployed with', { limit: 256, heapLimit: 212, peak: 110 }],
    ['where much is left', { limit: 1024, heapLimit: 900, peak: 500 }],
  ])('is silent %s', (_, use) => {
    expect(memoryAdvice(use)).toEqual([]);
  });

  it.each<[limit: number, heapLimit: number, fault: string, options: string]>([
    [
      256,
      2096,
      'the heap may grow to 2096 MiB, so that the kernel may end the process at its limit of 256 MiB',
      '--max-semi-space-size=4 --max-old-space-size=200',
    ],
    [
      2048,
      2096,
      'the heap may grow to 2096 MiB, so that the kernel may end the process at its limit of 2048 MiB',
      '--max-old-space-size=1960',
    ],
    [
      1024,
      304,
      'the heap may grow to 304 MiB only, although the limit of memory is 1024 MiB',
      '--max-old-space-size=930',
    ],
  ])(
    'names the options of Node.js that fit a limit of %i MiB to a heap of up to %i MiB',
    (limit, heapLimit, fault, options) => {
      expect(memoryAdvice({ limit, heapLimit, peak: 90 })).toEqual([`${fault}; start node with ${options}`]);
    },
  );

  it.each<[peak: number, limit: number | undefined, heapLimit: number, most: number, enough: string]>([
    [230, 256, 212, 252, 'a limit of 384 MiB, and start node with --max-semi-space-size=4 --max-old-space-size=330'],
    [540, undefined, 512, 552, 'a limit of 832 MiB, and start node with --max-old-space-size=740'],
  ])(
    'asks for more memory when %i MiB were needed under a limit of %s MiB, with a heap of up to %i MiB',
    (peak, limit, heapLimit, most, enough) => {
      expect(memoryAdvice({ limit, heapLimit, peak })).toEqual([
        `the process has needed ${peak} MiB of the ${most} MiB that it can have; give it ${enough}`,
      ]);
    },
  );

  it('has nothing to add when its advice is taken', () => {
    for (const limit of [192, 256, 384, 512, 640, 1024, 4096]) {
      const [advice = ''] = memoryAdvice({ limit, heapLimit: 8192, peak: 100 });
      const numberIn = (option: string, otherwise: number) =>
        Number(new RegExp(`${option}=(\\d+)`).exec(advice)?.[1] ?? otherwise);
      const heapLimit = numberIn('--max-old-space-size', 0) + 3 * numberIn('--max-semi-space-size', 16);
      expect(memoryAdvice({ limit, heapLimit, peak: 100 })).toEqual([]);
    }
  });
});

describe('memoryUse', () => {
  it('returns the memory limit and the peak of this process in MiB', () => {
    const { heapLimit, peak } = memoryUse();
    const { rss, heapTotal } = process.memoryUsage();
    expect(heapLimit).toBe(Math.round(getHeapStatistics().heap_size_limit / 2 ** 20));
    expect(peak).toBeGreaterThanOrEqual(Math.floor(Math.min(rss, heapTotal) / 2 ** 20));
    expect(peak).toBeLessThan(100_000);
  });

  it('relies on a heap with three semi-spaces besides the old space', () => {
    const program = "require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20";
    const limitOf = (...options: readonly string[]) =>
      Number(execFileSync(process.execPath, [...options, '--print', program], { encoding: 'utf8', env: {} }));
    expect(limitOf('--max-old-space-size=200', '--max-semi-space-size=4')).toBe(212);
  });
});
