// matching/: whether a match of a rule takes a request. Takes a match and a request and returns checks, one for each condition, and how specific
// the match is. A delegated match is one that arrives at a child route through its parent's rule.

import type { JsonObject } from '@policy-machinery/resource';
import type { Check, RegularExpression } from './check.ts';
import type { ReadRequest } from './http-request.ts';

/** The properties of a match that decide its precedence. */
export interface Specificity {
  /** `undefined` where it makes no difference: among matches of GRPCRoutes. */
  readonly path: 'Exact' | 'PathPrefix' | 'RegularExpression' | undefined;
  /** Characters in the path, without a slash at the end of a prefix. */
  readonly pathLength: number;
  readonly method: number;
  readonly grpcService: number;
  readonly grpcMethod: number;
  readonly headers: number;
  readonly queryParameters: number;
}

/** A match of a rule, put to a request. */
export interface CheckedMatch {
  readonly checks: readonly Check[];
  readonly specificity: Specificity;
}

/** Checks a match of one kind of route against a request. */
export type CheckMatch = (
  match: JsonObject,
  request: ReadRequest,
  regularExpression: RegularExpression | undefined,
) => CheckedMatch;

/** The specificity of an empty match. */
export const unspecific: Specificity = {
  path: undefined,
  pathLength: 0,
  method: 0,
  grpcService: 0,
  grpcMethod: 0,
  headers: 0,
  queryParameters: 0,
};
