import { hostnameMatches } from '@policy-machinery/gateway-api';
import { type ConcreteRequest, prefixOf } from './concrete-request.ts';
import { type Cell, isIn, type Region } from './region.ts';

/** Values that no condition asks for. */
export interface Unused {
  /** A label of hosts, a segment of paths and a value of headers. */
  readonly word: string;
  readonly method: string;
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT'];

/**
 * Returns values that occur in none of some texts.
 *
 * @param texts All texts that conditions compare.
 * @returns The values. O(length of the texts).
 */
export function unusedIn(texts: ReadonlySet<string>): Unused {
  let word = 'any';
  const isUsed = (): boolean => [...texts].some((text) => text.toLowerCase().includes(word));
  for (let number = 2; isUsed(); number += 1) word = `any${number}`;
  return { word, method: methods.find((method) => !texts.has(method)) ?? word.toUpperCase() };
}

/**
 * Returns the least request of a region: it satisfies the conditions, and otherwise has only values that no condition asks for. So another match
 * takes it only if that match takes every request of the region.
 *
 * @param unused The values that no condition asks for.
 */
export function leastRequest(region: Region, unused: Unused): ConcreteRequest {
  const { word } = unused;
  const filled = (values: Region['headers']): ReadonlyMap<string, string> =>
    values.size === 0 ? nothing : new Map([...values].map(([name, value]) => [name, value ?? word]));
  return {
    host: hostIn(region.hostname, word),
    path: pathIn(region, word),
    method: region.method ?? unused.method,
    headers: filled(region.headers),
    query: filled(region.query),
  };
}

const nothing: ReadonlyMap<string, string> = new Map();

function hostIn(hostname: string, word: string): string {
  if (hostname === '*') return word;
  return hostname.startsWith('*') ? `${word}${hostname.slice(1)}` : hostname;
}

function pathIn({ path, call }: Region, word: string): string {
  if (call !== undefined) return `/${call.service ?? word}/${call.call ?? word}`;
  if (path?.type === 'Exact') return path.value;
  return `${prefixOf(path?.value ?? '/')}${endOf(word)}`;
}

/** Returns the end of a path below a prefix. A path with more than two segments is not a gRPC call, which matches of GRPCRoutes take. */
function endOf(word: string): string {
  return `/${word}/${word}/${word}`;
}

export function isInCell({ host, path, method, headers, query }: ConcreteRequest, cell: Cell): boolean {
  const hasAll = (wanted: Region['headers'], there: ReadonlyMap<string, string>): boolean =>
    [...wanted].every(([name, value]) => there.has(name) && (value === undefined || there.get(name) === value));
  return (
    (cell.hostname === undefined || hostnameMatches(cell.hostname, host)) &&
    (cell.path === undefined || isIn(path, cell.path)) &&
    (cell.method === undefined || cell.method === method) &&
    hasAll(cell.headers, headers) &&
    hasAll(cell.query, query)
  );
}

/** Returns simpler requests in place of one with values that no condition asks for, the simplest first. They may be others': try each. */
export function* simplerRequests(request: ConcreteRequest, { word, method }: Unused): Iterable<ConcreteRequest> {
  const end = endOf(word);
  const prefix = request.path.endsWith(end) ? request.path.slice(0, -end.length) : undefined;
  const paths = prefix === undefined ? [request.path] : [prefix || '/', `${prefix}/${word}`, request.path];
  const isOdd = request.method === method && method !== 'GET';
  const hosts = request.host === word ? ['example.com', word] : [request.host];
  for (const host of hosts) {
    for (const path of paths) {
      if (isOdd) yield { ...request, host, path, method: 'GET' };
      yield { ...request, host, path };
    }
  }
}
