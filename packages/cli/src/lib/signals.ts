import type { Transport, TransportResponse } from '@policy-machinery/cluster';

const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Signals end the process at once, even within a long computation, where Node calls no handlers. Only while kubectl runs, the first
 * signal ends kubectl instead, and the work that waits for kubectl; the second signal ends the process.
 */
export class Signals {
  readonly #end = new AbortController();
  #running = 0;

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Catches signals until the work ends, in whichever way. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = this.#hold();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Returns a transport that catches signals during its requests. */
  caughtBy({ request, ...others }: Transport): Transport {
    return {
      ...others,
      request: async (asked) => {
        const release = this.#hold();
        try {
          return releasing(await request(asked), release);
        } catch (error) {
          release();
          throw error;
        }
      },
    };
  }

  #hold(): () => void {
    this.#running += 1;
    if (this.#running === 1 && !this.signal.aborted) this.#catch();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#running -= 1;
      if (this.#running === 0) this.#letGo();
    };
  }

  #catch(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, this.#onSignal);
  }

  #letGo(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, this.#onSignal);
  }

  readonly #onSignal = (name: 'SIGINT' | 'SIGTERM'): void => {
    this.#letGo();
    process.exitCode = codes[name];
    this.#end.abort();
  };
}

/** Returns a response that is over when its body has been read. */
function releasing(response: TransportResponse, release: () => void): TransportResponse {
  return {
    status: response.status,
    headers: response.headers,
    text: (maxBytes) => response.text(maxBytes).finally(release),
    json: (maxBytes) => response.json(maxBytes).finally(release),
    async *lines() {
      try {
        yield* response.lines();
      } finally {
        release();
      }
    },
  };
}
