import { hostnameMatches, intersectHostnames } from '@policy-machinery/gateway-api';
import { hasPrefix, prefixOf } from './concrete-request.ts';
import type { Contender } from './contender.ts';
import { type Entry, meshHostOf } from './entries.ts';

export interface PathCondition {
  readonly type: 'Exact' | 'PathPrefix';
  readonly value: string;
}

/**
 * A set of requests: all that meet some conditions; each condition asks for something to be there. So of all matches, its least request meets
 * exactly the matches that every request of the region meets.
 */
export interface Region {
  /** A host, a wildcard, or `*` for every host. */
  readonly hostname: string;
  readonly path?: PathCondition | undefined;
  readonly method?: string | undefined;
  /** Values by names in lower case; `undefined` for any value. */
  readonly headers: ReadonlyMap<string, string | undefined>;
  readonly query: ReadonlyMap<string, string | undefined>;
  /** Whether all are gRPC calls, and the parts of their path. */
  readonly call?: { readonly service?: string | undefined; readonly call?: string | undefined } | undefined;
}

/** The requests that a selection is about: a region without regular expressions. */
export type Cell = Pick<Region, 'path' | 'method' | 'headers' | 'query'> & { readonly hostname?: string | undefined };

const none: ReadonlyMap<string, string | undefined> = new Map();

/**
 * Returns the requests of a cell at an entry. In a mesh, all have the host of the Service.
 *
 * @returns The cell; `undefined` if no request there is in the cell.
 */
export function cellAt(cell: Cell, entry: Entry): Cell | undefined {
  const host = cell.hostname === undefined ? undefined : meshHostOf(entry);
  if (host === undefined) return cell;
  return hostnameMatches(cell.hostname ?? '*', host) ? { ...cell, hostname: undefined } : undefined;
}

/** The cell of all requests. */
export const everything: Cell = { headers: none, query: none };

/**
 * Returns the region of a match: its requests, whether an earlier match takes them or not. Of regular expressions, only the presence of the header or
 * query parameter counts.
 */
export function regionOf({ match: { hostname, conditions, isCall } }: Contender): Region | undefined {
  const headers = new Map<string, string | undefined>();
  const query = new Map<string, string | undefined>();
  let path: PathCondition | undefined;
  let method: string | undefined;
  const call: { service?: string; call?: string } = {};
  for (const { field, name, type, value } of conditions) {
    const exact = type === 'RegularExpression' ? undefined : value;
    if (field === 'header') headers.set(name, exact);
    else if (field === 'query') query.set(name, exact);
    else if (exact === undefined) continue;
    else if (field === 'path') path = { type: type as PathCondition['type'], value: exact };
    else if (field === 'method') method = exact;
    else call[field] = exact;
  }
  if (path !== undefined && !isPath(path.value)) return undefined;
  const isCallable = [call.service, call.call].every((part) => part === undefined || !/[/?#]/.test(part));
  if (!isCallable) return undefined;
  return { hostname, path, method, headers, query, call: isCall ? call : undefined };
}

/** Returns whether a value can be the path of a request, which excludes query and fragment. */
function isPath(value: string): boolean {
  return value.startsWith('/') && !/[?#]/.test(value);
}

/**
 * Returns the requests of a region that are in a cell.
 *
 * @returns The region; `undefined` if they do not have a common request. O(conditions).
 */
export function meet(region: Region, cell: Cell): Region | undefined {
  if (cell === everything) return region;
  const [hostname] = intersectHostnames(region.hostname, cell.hostname ?? '*');
  const headers = meetValues(region.headers, cell.headers);
  const query = meetValues(region.query, cell.query);
  const isDifferent = region.method !== undefined && cell.method !== undefined && region.method !== cell.method;
  if (hostname === undefined || headers === undefined || query === undefined || isDifferent) return undefined;
  const together = { hostname, headers, query, method: region.method ?? cell.method };
  if (region.call !== undefined) {
    const call = meetCall(region.call, cell.path);
    return call && { ...together, call };
  }
  const path = meetPaths(region.path, cell.path);
  return path === 'none' ? undefined : { ...together, path };
}

/**
 * Returns the requests that two cells have in common.
 *
 * @returns The cell; `undefined` if there are none. O(conditions).
 */
export function meetCells(one: Cell, other: Cell): Cell | undefined {
  if (one === everything) return other;
  const both = meet({ ...one, hostname: one.hostname ?? '*' }, other);
  return both && { ...both, hostname: both.hostname === '*' ? undefined : both.hostname };
}

/**
 * Returns the requests that two regions have in common.
 *
 * @returns The region; `undefined` if there are none. O(conditions).
 */
export function meetRegions(a: Region, b: Region): Region | undefined {
  if (b.call === undefined) return meet(a, b);
  if (a.call === undefined) return meet(b, a);
  const isSame = (own: string | undefined, other: string | undefined): boolean =>
    own === undefined || other === undefined || own === other;
  if (!isSame(a.call.service, b.call.service) || !isSame(a.call.call, b.call.call)) return undefined;
  const { call: _call, ...cell } = b;
  const together = meet(a, cell);
  const call = { service: a.call.service ?? b.call.service, call: a.call.call ?? b.call.call };
  return together && { ...together, call };
}

function meetValues(a: Region['headers'], b: Region['headers']): Region['headers'] | undefined {
  if (b.size === 0) return a;
  const values = new Map(a);
  for (const [name, value] of b) {
    const there = values.get(name);
    if (there !== undefined && value !== undefined && there !== value) return undefined;
    values.set(name, there ?? value);
  }
  return values;
}

function meetPaths(a: PathCondition | undefined, b: PathCondition | undefined): PathCondition | undefined | 'none' {
  if (a === undefined || b === undefined) return a ?? b;
  if (b.type === 'Exact') return isIn(b.value, a) ? b : 'none';
  if (isIn(prefixOf(a.value), b) || (a.type === 'Exact' && isIn(a.value, b))) return a;
  return a.type === 'PathPrefix' && isIn(prefixOf(b.value), a) ? b : 'none';
}

export function isIn(path: string, { type, value }: PathCondition): boolean {
  return type === 'Exact' ? path === value : hasPrefix(path, value);
}

/** Returns the calls of a region with a path that meets a condition. */
function meetCall(call: NonNullable<Region['call']>, path: PathCondition | undefined): Region['call'] {
  if (path === undefined) return call;
  const segments = (path.type === 'Exact' ? path.value : prefixOf(path.value)).split('/').slice(1);
  const [service, method, ...more] = segments;
  if (more.length > 0 || segments.includes('') || (path.type === 'Exact' && method === undefined)) return undefined;
  const isSame = (own: string | undefined, other: string | undefined): boolean =>
    own === undefined || other === undefined || own === other;
  if (!isSame(call.service, service) || !isSame(call.call, method)) return undefined;
  return { service: call.service ?? service, call: call.call ?? method };
}
