import { type Issue, PolicyMachineryError } from '@policy-machinery/resource';
import type { HttpRequest } from './http-request.ts';

interface FieldRule {
  readonly accepts: (value: unknown) => boolean;
  /** The fix for a field of another type. */
  readonly expected: string;
}

const text: FieldRule = { accepts: (value) => typeof value === 'string', expected: 'a string' };
const pairs: FieldRule = {
  accepts: (value) => Array.isArray(value) && value.every(isPair),
  expected: 'pairs of name and value, both strings, such as Object.entries(…)',
};

/** All fields of a request; each is optional. */
const rules: { readonly [Field in keyof Required<HttpRequest>]: FieldRule } = {
  host: text,
  path: text,
  method: text,
  headers: pairs,
  query: pairs,
  transport: { accepts: (value) => value === 'TCP' || value === 'UDP', expected: '"TCP" or "UDP"' },
  port: { accepts: Number.isInteger, expected: 'an integer' },
  listener: text,
};

/**
 * Returns a request that can be read several times: the iterables of its headers and query parameters may be iterated only once.
 *
 * @throws {PolicyMachineryError} `invalid-request`, with an issue for each field that does not conform to {@link HttpRequest}.
 */
export function checkRequest(request: HttpRequest): HttpRequest {
  if (typeof request !== 'object' || request === null) {
    throw invalidRequest([fault('', 'the request is not an object; pass one such as { host, path }')]);
  }
  const { headers, query } = request;
  const read: Readonly<Record<string, unknown>> = {
    ...request,
    ...(headers === undefined ? {} : { headers: listed(headers) }),
    ...(query === undefined ? {} : { query: listed(query) }),
  };
  const issues = Object.entries(rules).flatMap(([field, { accepts, expected }]) => {
    const value = read[field];
    return value === undefined || accepts(value) ? [] : [fault(`/${field}`, `${field} must be ${expected}`)];
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return read;
}

/** Returns the items of something that may be no iterable; `null` where it is none. */
function listed(items: Iterable<unknown>): readonly unknown[] | null {
  try {
    return [...items];
  } catch {
    return null;
  }
}

function isPair(pair: unknown): boolean {
  return Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string';
}

function fault(pointer: string, message: string): Issue {
  return { code: 'invalid-request', severity: 'error', message, pointer };
}

function invalidRequest(issues: readonly Issue[]): PolicyMachineryError {
  return new PolicyMachineryError('invalid-request', 'The request cannot be read', issues);
}
