import type { IncomingMessage } from 'node:http';
import { maxBodyBytes, readBody } from './body.ts';
import { splitLines } from './lines.ts';
import { TransportError, type TransportResponse } from './transport.ts';

/** An answer that Node reads. */
export class NodeResponse implements TransportResponse {
  readonly #message: IncomingMessage;
  readonly #what: string;
  readonly #signal: AbortSignal | undefined;

  constructor(message: IncomingMessage, what: string, signal: AbortSignal | undefined) {
    this.#message = message;
    this.#what = what;
    this.#signal = signal;
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [name, value = ''] of Object.entries(this.#message.headers)) {
      headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return headers;
  }

  text(maxBytes = maxBodyBytes): Promise<string> {
    return readBody(this.#chunks(), maxBytes, this.#what);
  }

  async json(maxBytes?: number): Promise<unknown> {
    return JSON.parse(await this.text(maxBytes));
  }

  lines(): AsyncIterable<string> {
    return splitLines(this.#chunks());
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    try {
      yield* this.#message;
    } catch (error) {
      if (this.#signal?.aborted) throw this.#signal.reason;
      throw transportError(error, this.#what);
    }
  }
}

/** Node's codes for answers that are not HTTP, and for bodies that end early: the connection is of no more use. */
const broken = /^(HPE_|ERR_STREAM_)/;

/** Returns the error of a connection, with its code; `ECONNRESET` if the connection broke without one of the system. */
export function transportError(error: unknown, what: string): TransportError {
  const { code = 'ECONNRESET', message = String(error) } = error as NodeJS.ErrnoException;
  return new TransportError(broken.test(code) ? 'ECONNRESET' : code, `${what}: ${message}`, { cause: error });
}
