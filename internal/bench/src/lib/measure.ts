import { setFlagsFromString } from 'node:v8';

/** The time and the result of a run. */
export interface Timed<Result> {
  /** Compare it with other runs of this process only. */
  readonly ms: number;
  readonly result: Result;
}

/** Measures how long something takes. */
export function timed<Result>(run: () => Result): Timed<Result> {
  const start = performance.now();
  const result = run();
  return { ms: performance.now() - start, result };
}

/** Measures the CPU time of a run in milliseconds, all threads included. Other load on the machine does not count. */
export function timedOnCpu<Result>(run: () => Result): Timed<Result> {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, result };
}

/** Returns the results of several runs. Each receives its number, from 0. */
export function repeated<Result>(times: number, run: (time: number) => Result): readonly Result[] {
  return Array.from({ length: times }, (_, time) => run(time));
}

/**
 * Collects all garbage and compacts the heap, so that a measurement does not pay for the garbage of an earlier one, or for holes in the heap:
 * with these, the last measurement takes a quarter more.
 */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('Run node with --expose-gc, as the scripts do');
  globalThis.gc();
  setFlagsFromString('--compact-on-every-full-gc');
  globalThis.gc(); // Objects held by weak references only are found by the first collection, and freed by the second one.
  setFlagsFromString('--no-compact-on-every-full-gc');
  wait(50); // Other threads are still sweeping: beside them, small clusters take twice as long.
}

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Returns the number of bytes in use once all garbage is collected, typed arrays included. */
export function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns the median of some numbers; for an even number, the upper one of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Returns a percentile of some numbers, without interpolation: the upper one of two candidates. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.floor((sorted.length * percent) / 100)];
  if (value === undefined) throw new RangeError('There is no percentile of nothing');
  return value;
}

/** Returns the median of each field of some measurements. */
export function medians<Field extends string>(
  runs: readonly Readonly<Record<Field, number>>[],
): Readonly<Record<Field, number>> {
  const fields = Object.keys(runs[0] ?? {}) as Field[];
  return Object.fromEntries(fields.map((field) => [field, median(runs.map((run) => run[field]))])) as Record<
    Field,
    number
  >;
}
