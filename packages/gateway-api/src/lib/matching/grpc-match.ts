import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { type Check, checkPairs, checkText, headerPairs, isUnset, type RegularExpression } from './check.ts';
import type { ReadRequest } from './http-request.ts';
import { type CheckMatch, unspecific } from './match.ts';

/** Checks a match of a GRPCRoute against a request. Requests with a path other than `/service/method` or a method other than `POST` are not gRPC calls and do not match. */
export const checkGrpcMatch: CheckMatch = ({ method, headers }, request, regularExpression) => {
  const isCall: Check = { verdict: request.call === undefined ? 'mismatch' : 'match', field: 'path', at: [] };
  const headerChecks = [...checkPairs(headers, headerPairs, request.headers, regularExpression)];
  return {
    checks: [isCall, ...checkMethod(method, request, regularExpression), ...headerChecks],
    specificity: {
      ...unspecific,
      grpcService: weightOf(method, 'service'),
      grpcMethod: weightOf(method, 'method'),
      headers: headerChecks.length,
    },
  };
};

function* checkMethod(
  field: JsonValue | undefined,
  { call }: ReadRequest,
  regularExpression: RegularExpression | undefined,
): Iterable<Check> {
  if (isUnset(field)) return;
  if (!isJsonObject(field)) return yield { verdict: 'invalid', field: 'method', at: ['method'] };
  for (const part of ['service', 'method'] as const) {
    const value = field[part];
    if (isAny(value)) continue;
    const verdict = checkText(field.type, value, call?.[part], regularExpression);
    yield { verdict, field: 'method', at: ['method', part] };
  }
}

export const exactName = 2;

/** Returns the weight of a kind of match. Lengths need no comparison: exact names that match the same request are equally long. */
function weightOf(field: JsonValue | undefined, part: 'service' | 'method'): number {
  if (!isJsonObject(field) || isAny(field[part])) return 0;
  return field.type === 'RegularExpression' ? 1 : exactName;
}

/** Returns whether a name matches any name. In Gateway API, an empty name does. */
function isAny(value: JsonValue | undefined): boolean {
  return isUnset(value) || value === '';
}
