import { isJsonObject, type JsonObject, messageOf, objectsIn, stringIn } from '@policy-machinery/resource';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { maxBodyBytes } from '../transport/body.ts';
import { readStatusError, StatusError } from '../transport/status-error.ts';
import { connectionCode, type Transport, TransportError } from '../transport/transport.ts';
import { readLess } from './fault.ts';
import { PageLimit } from './page-limit.ts';
import { resourceVersionIn } from './watch-event.ts';

/** How long a server may take for a page, in milliseconds. API servers give up after a minute themselves. */
const pageTimeout = 65_000;

/** The longest list that is read, in characters of all its pages: half a gibibyte. It takes several times as much memory. */
const maxCharacters = 2 ** 29;

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
  /** How many objects a page has. Default: as for a first list. */
  readonly limit?: PageLimit;
  /** The longest page that is read, in bytes. Default: 128 MiB. */
  readonly maxBytes?: number;
  /** The longest list that is read, in characters of all its pages. Default: half a gibibyte. */
  readonly maxCharacters?: number;
}

export interface CompleteList {
  readonly items: readonly JsonObject[];
  readonly resourceVersion: string;
}

type PagedList = ListToRead & { readonly limit: PageLimit };

interface Page extends CompleteList {
  /** The token of the next page; `''` after the last one. */
  readonly next: string;
  readonly characters: number;
}

/**
 * Reads a list to its end, page by page. If the pages expire meanwhile, the list is read again as a whole.
 *
 * @returns The list. Rejects if any part of it fails, so that half a list is never taken for a whole one.
 */
export async function readList(asked: ListToRead): Promise<CompleteList> {
  const list = { limit: new PageLimit(), ...asked };
  const first = await readFittingPage(list, '');
  const items = [...first.items];
  let { next, characters } = first;
  while (next !== '') {
    try {
      const page = await readFittingPage(list, next);
      characters += page.characters;
      if (page.next === next || characters > (list.maxCharacters ?? maxCharacters)) {
        throw tooLong(`GET ${list.path}: the list is too long, or endless`);
      }
      for (const item of page.items) items.push(item);
      next = page.next;
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 410) throw error;
      return readWhole(list, error);
    }
  }
  return { items, resourceVersion: first.resourceVersion };
}

/**
 * Reads the page that a token leads to, or the first one. If the page is too long, it is read again with half as many objects: the token
 * remains valid.
 */
async function readFittingPage(list: PagedList, token: string): Promise<Page> {
  const { limit, maxBytes = maxBodyBytes } = list;
  for (;;) {
    // An API server ignores the limit of a list of any version, which comes from its cache.
    const from = token === '' ? versionQuery(limit.isReduced ? '' : list.resourceVersion) : { continue: token };
    try {
      const page = await readPage(list, { ...from, limit: String(limit.objects) });
      if (page.next !== '' && page.characters < maxBytes / 4) limit.raise();
      return page;
    } catch (error) {
      if (!isTooLong(error)) throw error;
      if (!limit.reduce()) throw tooLong(`${messageOf(error)}, even for a page of one object`);
    }
  }
}

/** Reads a list without pages, after these have expired. Rejects with that error if the list is too long, so that the pages are read again. */
async function readWhole(list: PagedList, expired: StatusError): Promise<CompleteList> {
  if (list.limit.isReduced) throw expired;
  try {
    return await readPage(list, versionQuery(list.resourceVersion));
  } catch (error) {
    if (!isTooLong(error)) throw error;
    list.limit.reduce();
    throw expired;
  }
}

function isTooLong(error: unknown): boolean {
  return connectionCode(error) === 'EBODYTOOLONG';
}

function tooLong(fault: string): TransportError {
  return new TransportError('EBODYTOOLONG', `${fault}; ${readLess}`);
}

function versionQuery(resourceVersion: string): Readonly<Record<string, string>> {
  return resourceVersion === '' ? {} : { resourceVersion, resourceVersionMatch: 'NotOlderThan' };
}

async function readPage(
  { transport, path, query: selectors, headers, clock, signal, maxBytes }: ListToRead,
  query: Readonly<Record<string, string>>,
): Promise<Page> {
  const deadline = startDeadline(clock, pageTimeout, `GET ${path}: no complete answer`, signal);
  try {
    const request = { method: 'GET', path, query: { ...selectors, ...query }, headers, signal: deadline.signal };
    const response = await transport.request(request);
    if (response.status !== 200) throw await readStatusError(response, request);
    const text = await response.text(maxBytes);
    const body: unknown = JSON.parse(text);
    const resourceVersion = isJsonObject(body) ? resourceVersionIn(body) : undefined;
    if (!isJsonObject(body) || resourceVersion === undefined) throw new Error(`GET ${path}: the answer is not a list`);
    const { metadata } = body;
    const next = isJsonObject(metadata) ? (stringIn(metadata.continue) ?? '') : '';
    return { items: objectsIn(body.items), resourceVersion, next, characters: text.length };
  } finally {
    deadline.clear();
  }
}
