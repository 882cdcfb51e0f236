import { setFlagsFromString } from 'node:v8';

/** What a run took, and what came of it. */
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

/** Measures how much CPU time something takes, in milliseconds: what else the machine does counts for nothing. */
export function timedOnCpu<Result>(run: () => Result): Timed<Result> {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, result };
}

/** What comes of doing something several times; it is told which time it is, from 0. */
export function repeated<Result>(times: number, run: (time: number) => Result): readonly Result[] {
  return Array.from({ length: times }, (_, time) => run(time));
}

/**
 * Collects all garbage, and moves together what is left, lest one measurement pay for the garbage of another, or for the holes that
 * it has left: with them, what is measured last takes a quarter more.
 */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('Run node with --expose-gc, as the scripts do');
  globalThis.gc();
  setFlagsFromString('--compact-on-every-full-gc');
  globalThis.gc(); // What the first one finds that is held by weak references only, the second one frees.
  setFlagsFromString('--no-compact-on-every-full-gc');
  wait(50); // Other threads are still sweeping up: beside them, small clusters take twice as long.
}

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** How many bytes are in use once all garbage is collected, typed arrays included. */
export function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The middle of some numbers; of an even number of them, the upper one of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The number that so many of a hundred are not above: the upper one, where two are as good. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.floor((sorted.length * percent) / 100)];
  if (value === undefined) throw new RangeError('There is no percentile of nothing');
  return value;
}

/** The medians of each field of some measurements. */
export function medians<Field extends string>(
  runs: readonly Readonly<Record<Field, number>>[],
): Readonly<Record<Field, number>> {
  const fields = Object.keys(runs[0] ?? {}) as Field[];
  return Object.fromEntries(fields.map((field) => [field, median(runs.map((run) => run[field]))])) as Record<
    Field,
    number
  >;
}
