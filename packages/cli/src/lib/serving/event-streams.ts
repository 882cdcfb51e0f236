import type { ServerResponse } from 'node:http';
import type { LiveData } from '@policy-machinery/report';

/** How many pages are kept up to date at a time. */
const mostStreams = 32;

/** How much a page that reads nothing may leave unread, in bytes. */
const mostUnread = 1 << 20;

/** The longest patch that is sent, in characters. A page reads everything again, compressed, in place of a longer one. */
const longestPatch = 1 << 18;

/** The time between signs of life, in milliseconds: without them, neither side notices that the other has gone. */
const beat = 30_000;

/** The streams of events (`text/event-stream`) that tell pages about changes. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #timer = setInterval(() => this.#write('event: beat\ndata: 0\n\n'), beat).unref();

  /**
   * Adds a response.
   *
   * @param response The response, before its headers are sent.
   * @param version The version of the data, which is told at once.
   * @returns Whether there was room.
   */
  add(response: ServerResponse, version: number): boolean {
    if (this.#open.size >= mostStreams) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(textOf(version));
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    return true;
  }

  /** How many pages are kept up to date. */
  get size(): number {
    return this.#open.size;
  }

  /** Sends the differences of another version of the data to all pages. */
  tell({ version, patch }: Pick<LiveData, 'version' | 'patch'>): void {
    if (patch === undefined || patch.length > longestPatch) this.#write(textOf(version));
    else this.#write(`event: patch\ndata: {"version":${version},"patch":${patch}}\n\n`);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const response of this.#open) response.destroy();
  }

  #write(text: string): void {
    for (const response of this.#open) {
      if (response.writableLength > mostUnread) response.destroy();
      else response.write(text);
    }
  }
}

function textOf(version: number): string {
  return `event: change\ndata: ${version}\n\n`;
}
