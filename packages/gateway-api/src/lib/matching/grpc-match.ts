import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { type Check, checkPairs, checkText, headerPairs, isUnset, type RegularExpression } from './check.ts';
import type { ReadRequest } from './http-request.ts';
import { type CheckMatch, unspecific } from './match.ts';

/** Puts a match of a GRPCRoute to a request: one whose path is not `/service/method` is none that gRPC makes. */
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

/** Services that match one request exactly are all of one length, so that it is enough to tell the kinds of match apart. */
function weightOf(field: JsonValue | undefined, part: 'service' | 'method'): number {
  if (!isJsonObject(field) || isAny(field[part])) return 0;
  return field.type === 'RegularExpression' ? 1 : 2;
}

/** To Gateway API, an empty name means any. */
function isAny(value: JsonValue | undefined): boolean {
  return isUnset(value) || value === '';
}
