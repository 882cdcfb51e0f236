import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError, StatusError } from '../transport/status-error.ts';
import { type Transport, TransportError } from '../transport/transport.ts';
import { resourceVersionIn } from './watch-event.ts';

/** How long a server may take for a page, in milliseconds. API servers give up after a minute themselves. */
const pageTimeout = 65_000;

/** The number of objects in a page. */
const pageSize = 500;

/** The longest list that is read, in characters of all its pages: half a gibibyte. It takes several times as much memory. */
const maxCharacters = 2 ** 29;

/** A list to read. */
export interface ListToRead {
  readonly transport: Transport;
  readonly path: string;
  /** The selectors of the list. Default: none. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The list may be no older; `'0'` for any, `''` for the newest. */
  readonly resourceVersion: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The longest list that is read, in characters of all its pages. Default: half a gibibyte. */
  readonly maxCharacters?: number;
}

/** A complete list. */
export interface CompleteList {
  readonly items: readonly JsonObject[];
  readonly resourceVersion: string;
}

/**
 * Reads a list to its end, page by page. If the pages expire meanwhile, the list is read again as a whole.
 *
 * @returns The list. Rejects if any part of it fails, so that half a list is never taken for a whole one.
 */
export async function readList(list: ListToRead): Promise<CompleteList> {
  const first = await readPage(list, { ...versionQuery(list.resourceVersion), limit: String(pageSize) });
  const items = [...first.items];
  let { next, characters } = first;
  while (next !== '') {
    try {
      const page = await readPage(list, { limit: String(pageSize), continue: next });
      characters += page.characters;
      if (page.next === next || characters > (list.maxCharacters ?? maxCharacters)) throw endless(list.path);
      for (const item of page.items) items.push(item);
      next = page.next;
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 410) throw error;
      return readPage(list, versionQuery(list.resourceVersion));
    }
  }
  return { items, resourceVersion: first.resourceVersion };
}

function endless(path: string): TransportError {
  const todo = "read fewer objects, such as one namespace's";
  return new TransportError('EBODYTOOLONG', `GET ${path}: the list is too long, or has no end; ${todo}`);
}

function versionQuery(resourceVersion: string): Readonly<Record<string, string>> {
  return resourceVersion === '' ? {} : { resourceVersion, resourceVersionMatch: 'NotOlderThan' };
}

async function readPage(
  { transport, path, query: selectors, headers, clock, signal }: ListToRead,
  query: Readonly<Record<string, string>>,
): Promise<CompleteList & { readonly next: string; readonly characters: number }> {
  const deadline = startDeadline(clock, pageTimeout, `GET ${path}: no complete answer`, signal);
  try {
    const request = { method: 'GET', path, query: { ...selectors, ...query }, headers, signal: deadline.signal };
    const response = await transport.request(request);
    if (response.status !== 200) throw await readStatusError(response, request);
    const text = await response.text();
    const body: unknown = JSON.parse(text);
    const resourceVersion = isJsonObject(body) ? resourceVersionIn(body) : undefined;
    if (!isJsonObject(body) || resourceVersion === undefined) throw new Error(`GET ${path}: the answer is no list`);
    const { metadata } = body;
    const next = isJsonObject(metadata) ? (stringIn(metadata.continue) ?? '') : '';
    return { items: objectsIn(body.items), resourceVersion, next, characters: text.length };
  } finally {
    deadline.clear();
  }
}
