/** How much a condition may ask for. Conditions and the specs they read may come from people who mean harm. */
export interface CelOptions {
  /** Characters in one condition. Default 1024. */
  readonly characters?: number;
  /** How deep brackets of any kind may nest. More than some 1000 levels may exhaust the stack. Default 50. */
  readonly depth?: number;
  /** How deep `all`, `exists`, `exists_one`, `map` and `filter` may stand within each other's bodies. Default 3. */
  readonly comprehensions?: number;
  /**
   * What one evaluation may cost: one step for every 16 values in the spec, and one to five for each part of an expression
   * each time that a comprehension goes through it; functions cost more on long texts. Default 10,000, which takes
   * one or two milliseconds: a condition is evaluated in each context of its policy.
   */
  readonly steps?: number;
}

/** All limits, none left open. */
export type CelLimits = Required<CelOptions>;

/** Fills in what the caller leaves open. */
export function limitsFrom({
  characters = 1024,
  depth = 50,
  comprehensions = 3,
  steps = 10_000,
}: CelOptions = {}): CelLimits {
  return { characters, depth, comprehensions, steps };
}
