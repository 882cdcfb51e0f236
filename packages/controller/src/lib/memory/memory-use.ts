import { getHeapStatistics } from 'node:v8';

/** The memory of a process, in MiB. */
export interface MemoryUse {
  /** The most that the system gives it: the limit of its container; `undefined` if there is none. */
  readonly limit: number | undefined;
  /** The most that its heap may grow to. */
  readonly heapLimit: number;
  /** The most that it has had so far. */
  readonly peak: number;
}

export function memoryUse(): MemoryUse {
  const limit = process.constrainedMemory() ?? 0;
  const isLimited = limit > 0 && limit < Number.MAX_SAFE_INTEGER; // Without a limit, systems report 0, or nearly 2⁶⁴.
  return {
    limit: isLimited ? inMiB(limit) : undefined,
    heapLimit: inMiB(getHeapStatistics().heap_size_limit),
    peak: inMiB(1024 * process.resourceUsage().maxRSS),
  };
}

function inMiB(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
