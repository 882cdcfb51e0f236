import type { Traced } from './origins.ts';

/** Which side of a merge prevails: under `defaults` the challenger, under `overrides` the established policy. */
export type Stanza = 'defaults' | 'overrides';

/**
 * Combines two specs into one. Pure: neither input is changed or frozen, and the result may share parts with both
 * (M-01).
 *
 * @param established The spec of the policy that dictates the strategy, as a rule the less specific one.
 * @param challenger The spec that it meets: all that lies beneath, already merged.
 */
export type Combine = <Origin>(established: Traced<Origin>, challenger: Traced<Origin>) => Combined<Origin>;

/** What two specs came to. */
export interface Combined<Origin> extends Traced<Origin> {
  /** What of the established spec could not be done; all else was. Default nothing. */
  readonly problems?: readonly string[];
}

/**
 * One way of merging, for defaults, overrides or both. A strategy that has no counterpart for a stanza does not support
 * that stanza.
 */
export interface MergeStrategy {
  /** What GEP-713 calls it (M-08). */
  readonly granularity: 'None' | 'Atomic' | 'Patch' | 'Custom';
  readonly defaults?: Combine;
  readonly overrides?: Combine;
  /**
   * What a spec written for this strategy sets and what it removes, before it meets any other: a removal holds through all
   * later merges, whatever their strategy (M-20). Default: it sets all that it says, and removes nothing.
   */
  readonly settle?: <Origin>(spec: Traced<Origin>) => Traced<Origin>;
  /**
   * What a spec written for this strategy amounts to with nothing beneath it, if it is not a spec but says how to change one.
   * Default: what it says.
   */
  readonly alone?: <Origin>(spec: Traced<Origin>) => Combined<Origin>;
  /**
   * How many keys of a path lead to what the strategy takes as a whole there: 2 of the path to the rates of a named rule, since the rule
   * is lost, not its rates. Default: all of them, since each field is taken by itself.
   */
  readonly unitAt?: (path: readonly string[]) => number;
}

/** A strategy that supports defaults and overrides. */
export type TwoSidedStrategy = MergeStrategy & Required<Pick<MergeStrategy, Stanza>>;

/** The names that GEP-713 requires in statuses (M-08). */
export type StrategyName =
  | 'None'
  | 'Atomic defaults'
  | 'Atomic overrides'
  | 'Patch defaults'
  | 'Patch overrides'
  | 'Custom';

/**
 * The name of a strategy as GEP-713 spells it (M-08).
 *
 * @param strategy The strategy.
 * @param stanza The stanza that it is used for.
 * @returns One of GEP-713's six names.
 */
export function strategyName({ granularity }: MergeStrategy, stanza: Stanza): StrategyName {
  return granularity === 'Atomic' || granularity === 'Patch' ? `${granularity} ${stanza}` : granularity;
}
