import { printable } from '@policy-machinery/resource';
import { maxBodyBytes, readBody } from './body.ts';
import { splitLines } from './lines.ts';
import type { TransportResponse } from './transport.ts';

/** The most characters of a body that is not JSON in a message. */
const maxExcerpt = 256;

/** An answer with a body that is read as it arrives. */
export class StreamResponse implements TransportResponse {
  readonly #chunks: AsyncIterable<Buffer>;
  readonly #what: string;

  /**
   * @param status HTTP status code.
   * @param headers Names in lower case.
   * @param chunks The body.
   * @param what The request, for messages.
   */
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    chunks: AsyncIterable<Buffer>,
    what: string,
  ) {
    this.#chunks = chunks;
    this.#what = what;
  }

  text(maxBytes = maxBodyBytes): Promise<string> {
    return readBody(this.#chunks, maxBytes, this.#what);
  }

  async json(maxBytes?: number): Promise<unknown> {
    const text = await this.text(maxBytes);
    try {
      return JSON.parse(text);
    } catch (cause) {
      const excerpt = printable(text.slice(0, maxExcerpt));
      throw new Error(`${this.#what}: the answer with the code ${this.status} is not JSON: "${excerpt}"`, { cause });
    }
  }

  lines(): AsyncIterable<string> {
    return splitLines(this.#chunks);
  }
}
