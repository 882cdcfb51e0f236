import type {} from 'vitest';
import type { PolicyMatchers } from './lib/matchers/policy-matchers.ts';

export type { EffectiveSpecOptions } from './lib/matchers/effective-spec.ts';
export type { NamedPolicy, NamedTarget } from './lib/matchers/names.ts';
export { type PolicyMatchers, policyMatchers } from './lib/matchers/policy-matchers.ts';
export type { TestedRequest } from './lib/matchers/request.ts';
export type { MatcherContext, MatcherResult } from './lib/matchers/result.ts';

declare module 'vitest' {
  // The type parameter has to be the one that vitest declares.
  interface Matchers<T> extends PolicyMatchers<T> {}
}
