// Kept from before anyone replaces them: tests with fake timers need real turns of the event loop, too.
const { setImmediate } = globalThis;

/** The number of calls of {@link quiescence} that wait for a turn. Their callbacks are not work. */
let waiting = 0;

/** Waits for one turn of the event loop, where all promises that can settle do. */
async function turn(): Promise<void> {
  waiting += 1;
  await new Promise((resolve) => setImmediate(resolve));
  waiting -= 1;
}

/** Returns whether a callback of `setImmediate` is due, which is how code divides long work. */
function isImmediateDue(): boolean {
  return process.getActiveResourcesInfo().filter((name) => name === 'Immediate').length > waiting;
}

/**
 * Waits until the process has nothing to do but to wait: no promise can settle, and no `setImmediate` is due. Timers and sockets
 * do not count.
 *
 * @param limit The maximal number of turns of the event loop. Default 100,000.
 * @returns When all is quiet.
 * @throws {Error} If something keeps the event loop busy beyond the limit.
 */
export async function quiescence(limit = 100_000): Promise<void> {
  await turn();
  for (let turns = 1; isImmediateDue(); turns += 1) {
    if (turns >= limit)
      throw new Error(`The event loop is still busy after ${limit} turns; look for a loop over setImmediate`);
    await turn();
  }
}
