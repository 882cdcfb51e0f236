import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import {
  type Check,
  checkExpression,
  checkPairs,
  headerPairs,
  isUnset,
  type MatchVerdict,
  queryPairs,
  type RegularExpression,
  verdictOf,
} from './check.ts';
import type { ReadRequest } from './http-request.ts';
import { type CheckMatch, type Specificity, unspecific } from './match.ts';

/** Puts a match of an HTTPRoute to a request. */
export const checkHttpMatch: CheckMatch = ({ path, method, headers, queryParams }, request, regularExpression) => {
  const { verdict, ...pathSpecificity } = checkPath(path, request.path, regularExpression);
  const methodChecks = isUnset(method) ? [] : [checkMethod(method, request)];
  const headerChecks = [...checkPairs(headers, headerPairs, request.headers, regularExpression)];
  const queryChecks = [...checkPairs(queryParams, queryPairs, request.query, regularExpression)];
  return {
    checks: [{ verdict, field: 'path', at: ['path'] }, ...methodChecks, ...headerChecks, ...queryChecks],
    specificity: {
      ...unspecific,
      ...pathSpecificity,
      method: methodChecks.length,
      headers: headerChecks.length,
      queryParameters: queryChecks.length,
    },
  };
};

function checkMethod(method: JsonValue, request: ReadRequest): Check {
  const verdict = typeof method === 'string' ? verdictOf(method === request.method) : 'invalid';
  return { verdict, field: 'method', at: ['method'] };
}

type CheckedPath = { readonly verdict: MatchVerdict } & Partial<Pick<Specificity, 'path' | 'pathLength'>>;

const invalid: CheckedPath = { verdict: 'invalid' };

function checkPath(
  field: JsonValue | undefined,
  requested: string,
  regularExpression: RegularExpression | undefined,
): CheckedPath {
  if (!isUnset(field) && !isJsonObject(field)) return invalid;
  const type = field?.type ?? 'PathPrefix';
  const value = field?.value ?? '/';
  if (typeof value !== 'string') return invalid;
  if (type === 'RegularExpression') {
    return { verdict: checkExpression(value, requested, regularExpression), path: type, pathLength: value.length };
  }
  if (!value.startsWith('/')) return invalid;
  if (type === 'Exact') return { verdict: verdictOf(requested === value), path: type, pathLength: value.length };
  if (type !== 'PathPrefix') return invalid;
  const prefix = value.endsWith('/') ? value.slice(0, -1) : value;
  const holds = prefix === '' || requested === prefix || requested.startsWith(`${prefix}/`);
  return { verdict: verdictOf(holds), path: type, pathLength: prefix.length };
}
