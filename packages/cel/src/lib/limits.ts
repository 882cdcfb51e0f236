import type { Complete } from '@policy-machinery/resource/inner';
/** Limits for conditions. Conditions and the specs that they read may be hostile. */
export interface CelOptions {
  /** Characters in one condition. Default 1024. */
  readonly characters?: number | undefined;
  /** The maximal nesting of brackets of any kind. More than about 1000 levels may exhaust the stack. Default 50. */
  readonly depth?: number | undefined;
  /** The maximal nesting of `all`, `exists`, `exists_one`, `map` and `filter` in each other's bodies. Default 3. */
  readonly comprehensions?: number | undefined;
  /**
   * The maximal cost of one evaluation: one step for every 16 values in the spec, and one to five for each part of an
   * expression each time that a comprehension evaluates it; functions cost more on long texts. Default 10,000, which takes one
   * or two milliseconds: a condition is evaluated in each context of its policy.
   */
  readonly steps?: number | undefined;
}

/** All limits, with defaults filled in. */
export type CelLimits = Complete<CelOptions>;

/** Fills in the limits that the caller does not set. */
export function limitsFrom({
  characters = 1024,
  depth = 50,
  comprehensions = 3,
  steps = 10_000,
}: CelOptions = {}): CelLimits {
  return { characters, depth, comprehensions, steps };
}
