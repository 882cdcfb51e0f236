// requests/: the algebra of requests. Takes the listeners of an entry and returns its contest: the matches of all rules in their order of
// precedence. A region is the set of requests that meet the conditions of a match; its least request does not meet any other condition.

import { hostnameMatches, type RegularExpression } from '@policy-machinery/gateway-api';
import type { MatchCondition } from '@policy-machinery/gateway-api/inner';

/** One request, with everything that matches can compare. */
export interface ConcreteRequest {
  readonly host: string;
  readonly path: string;
  readonly method: string;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
}

/** Whether a request meets a condition; `undecided` for a regular expression without an engine. */
export type Met = 'yes' | 'no' | 'undecided';

/**
 * Returns whether a request meets a condition.
 *
 * @param regularExpression The engine for regular expressions, if there is one.
 */
export function meets(request: ConcreteRequest, condition: MatchCondition, regularExpression?: RegularExpression): Met {
  const { type, value } = condition;
  const text = textOf(request, condition);
  if (text === undefined) return 'no';
  if (type === 'RegularExpression') return meetsExpression(value, text, regularExpression);
  return answer(type === 'PathPrefix' ? hasPrefix(text, value) : text === value);
}

function meetsExpression(pattern: string, text: string, regularExpression: RegularExpression | undefined): Met {
  if (regularExpression === undefined) return 'undecided';
  try {
    const holds = regularExpression(pattern)(text);
    return holds === undefined ? 'undecided' : answer(holds);
  } catch {
    return 'no'; // The engine refuses the pattern, so the match takes no request.
  }
}

function answer(holds: boolean): Met {
  return holds ? 'yes' : 'no';
}

/** Returns the part of a request that a condition is about; `undefined` if the request does not have it. */
export function textOf(
  request: ConcreteRequest,
  { field, name }: Pick<MatchCondition, 'field' | 'name'>,
): string | undefined {
  switch (field) {
    case 'path':
      return request.path;
    case 'method':
      return request.method;
    case 'header':
      return request.headers.get(name);
    case 'query':
      return request.query.get(name);
    case 'service':
    case 'call':
      return callIn(request.path)?.[field];
  }
}

/** Returns the service and the method of a gRPC call; `undefined` for other requests. */
export function callIn(path: string): { readonly service: string; readonly call: string } | undefined {
  const [, service, call] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return service === undefined || call === undefined ? undefined : { service, call };
}

/** Returns a path prefix without the slash at its end. */
export function prefixOf(value: string): string {
  return value.endsWith('/') ? value.slice(0, -1) : value;
}

/** Returns whether a path begins with a prefix, in whole segments. */
export function hasPrefix(path: string, value: string): boolean {
  const prefix = prefixOf(value);
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}

/** Returns every prefix of a path, without a slash at the end, the longest first. */
export function* prefixesOf(path: string): Iterable<string> {
  yield path;
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
    yield path.slice(0, slash);
    if (slash === 0) return;
  }
}

/** Returns every hostname that can take a host, the most specific one first. */
export function* hostnamesFor(host: string): Iterable<string> {
  if (host !== '' && hostnameMatches(host, host)) yield host;
  for (let dot = host.indexOf('.', 1); dot > 0; dot = host.indexOf('.', dot + 1)) yield `*${host.slice(dot)}`;
  yield '*';
}
