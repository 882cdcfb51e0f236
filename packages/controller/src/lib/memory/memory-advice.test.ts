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

  it.each<[string, MemoryUse, string]>([
    [
      'a heap that may grow beyond a small limit',
      { limit: 256, heapLimit: 2096, peak: 90 },
      'the heap may grow to 2096 MiB, so that the kernel may end the process at its limit of 256 MiB; start node with --max-semi-space-size=4 --max-old-space-size=200',
    ],
    [
      'a heap that may grow beyond a large limit',
      { limit: 2048, heapLimit: 2096, peak: 90 },
      'the heap may grow to 2096 MiB, so that the kernel may end the process at its limit of 2048 MiB; start node with --max-old-space-size=1960',
    ],
    [
      'a heap that may not have most of the limit',
      { limit: 1024, heapLimit: 304, peak: 90 },
      'the heap may grow to 304 MiB only, although the limit of memory is 1024 MiB; start node with --max-old-space-size=930',
    ],
    [
      'a process that has come near its limit',
      { limit: 256, heapLimit: 212, peak: 230 },
      'the process has needed 230 MiB of the 252 MiB that it can have; give it a limit of 384 MiB, and start node with --max-semi-space-size=4 --max-old-space-size=330',
    ],
    [
      'a process that has come near the limit of its heap',
      { limit: undefined, heapLimit: 512, peak: 540 },
      'the process has needed 540 MiB of the 552 MiB that it can have; give it a limit of 832 MiB, and start node with --max-old-space-size=740',
    ],
  ])('says what to set for %s', (_, use, advice) => {
    expect(memoryAdvice(use)).toEqual([advice]);
  });

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
  it('returns what this process can have, and has had, in MiB', () => {
    const { heapLimit, peak } = memoryUse();
    const { rss, heapTotal } = process.memoryUsage();
    expect(heapLimit).toBe(Math.round(getHeapStatistics().heap_size_limit / 2 ** 20));
    expect(peak).toBeGreaterThanOrEqual(Math.floor(Math.min(rss, heapTotal) / 2 ** 20));
    expect(peak).toBeLessThan(100_000);
  });

  it('counts on a heap that has three semi-spaces beside the old space', () => {
    const program = "require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20";
    const limitOf = (...options: readonly string[]) =>
      Number(execFileSync(process.execPath, [...options, '--print', program], { encoding: 'utf8', env: {} }));
    expect(limitOf('--max-old-space-size=200', '--max-semi-space-size=4')).toBe(212);
  });
});
