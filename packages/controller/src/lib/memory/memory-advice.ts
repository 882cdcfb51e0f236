import type { MemoryUse } from './memory-use.ts';

/** The memory that Node.js needs in addition to its heap, in MiB. */
const besidesHeap = 40;

/** Below that limit, in MiB, a small young generation saves a noticeable part of it. */
const smallLimit = 512;

/** The sizes of a semi-space, in MiB: a small one, and the default of V8. The young generation has three of them. */
const [smallSemiSpace, usualSemiSpace] = [4, 16];

/** A process that has used more than this part of its memory limit is likely to be killed. */
const fullAt = 0.8;

/** A heap that may have less than this part of the limit is collected often, or ends the process, while there is memory left. */
const wastefulAt = 0.5;

/**
 * Returns advice on the memory limits of a process.
 *
 * @param use The limits and the peak of the process.
 * @returns One sentence for each fault; none if there is nothing to change.
 */
export function memoryAdvice({ limit, heapLimit, peak }: MemoryUse): readonly string[] {
  const faults: string[] = [];
  if (limit !== undefined && heapLimit + besidesHeap > limit) {
    faults.push(
      `the heap may grow to ${heapLimit} MiB, so that the kernel may end the process at its limit of ${limit} MiB; start node with ${flagsFor(limit)}`,
    );
  } else if (limit !== undefined && heapLimit < wastefulAt * limit) {
    faults.push(
      `the heap may grow to ${heapLimit} MiB only, although the limit of memory is ${limit} MiB; start node with ${flagsFor(limit)}`,
    );
  }
  const most = Math.min(limit ?? Number.POSITIVE_INFINITY, heapLimit + besidesHeap);
  if (peak > fullAt * most) {
    const enough = 64 * Math.ceil((1.5 * peak) / 64);
    faults.push(
      `the process has needed ${peak} MiB of the ${most} MiB that it can have; give it a limit of ${enough} MiB, and start node with ${flagsFor(enough)}`,
    );
  }
  return faults;
}

/** Returns the options of Node.js that fit a limit of memory, in MiB. */
function flagsFor(limit: number): string {
  const isSmall = limit <= smallLimit;
  const young = 3 * (isSmall ? smallSemiSpace : usualSemiSpace);
  const old = `--max-old-space-size=${10 * Math.floor((limit - besidesHeap - young) / 10)}`;
  return isSmall ? `--max-semi-space-size=${smallSemiSpace} ${old}` : old;
}
