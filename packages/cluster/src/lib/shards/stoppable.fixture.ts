import type { Clock, Transport } from '../../index.ts';

/** Returns a clock and a transport for a process that can be stopped like by SIGSTOP: time passes, and nothing of it runs until it goes on. */
export function stoppable(clock: Clock, connection: Transport) {
  let resumed = Promise.resolve();
  let resume: (() => void) | undefined;
  const deferred: (() => void)[] = [];
  return {
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimeout: (callback, ms) => clock.setTimeout(() => (resume ? deferred.push(callback) : callback()), ms),
    } satisfies Clock,
    transport: {
      async request(request) {
        await resumed;
        const response = await connection.request(request);
        await resumed;
        return {
          ...response,
          async json() {
            await resumed;
            return response.json();
          },
          async *lines() {
            for await (const line of response.lines()) {
              await resumed;
              yield line;
            }
          },
        };
      },
    } satisfies Transport,
    get runs() {
      return resume === undefined;
    },
    stop() {
      resumed = new Promise((resolve) => {
        resume = resolve;
      });
    },
    goOn() {
      resume?.();
      resume = undefined;
      for (const callback of deferred.splice(0)) callback();
    },
  };
}
