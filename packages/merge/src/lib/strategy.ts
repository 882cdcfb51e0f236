import type { FieldStrategy } from './field-rule.ts';
import type { Traced } from './origins.ts';

/** The side of a merge that prevails: the challenger under `defaults`, the established policy under `overrides`. */
export type Stanza = 'defaults' | 'overrides';

/**
 * Combines two specs into one. Pure: neither input is changed or frozen, and the result may share parts with both.
 *
 * @param established The spec of the policy that chooses the strategy, usually the less specific one.
 * @param challenger The spec that it meets: everything below, already merged.
 */
export type Combine = <Origin>(established: Traced<Origin>, challenger: Traced<Origin>) => Combined<Origin>;

/** The result of combining two specs. */
export interface Combined<Origin> extends Traced<Origin> {
  /** The parts of the established spec that could not be applied. Default none. */
  readonly problems?: readonly string[];
}

/**
 * One way of merging, for defaults, overrides or both. A strategy without a function for a stanza does not support that stanza.
 *
 * @typeParam Spec The specs that it merges: `unknown` for any. Policy kinds with another spec reject the strategy. Default: not checked.
 */
// biome-ignore lint/suspicious/noExplicitAny: a strategy of any spec, in either direction.
export interface MergeStrategy<in Spec = any> {
  /** The name of the strategy in GEP-713. */
  readonly granularity: 'None' | 'Atomic' | 'Patch' | 'Custom';
  readonly defaults?: Combine;
  readonly overrides?: Combine;
  /**
   * Returns the fields that a spec for this strategy sets and removes before any merge. A removal persists through all later
   * merges, whatever their strategy. Default: the spec sets all its fields, and removes nothing.
   */
  readonly withRemovals?: <Origin>(spec: Traced<Origin>) => Traced<Origin>;
  /** Returns the result of a spec for this strategy with nothing below it, if such a spec describes changes. Default: the spec itself. */
  readonly alone?: <Origin>(spec: Traced<Origin>) => Combined<Origin>;
  /**
   * Returns how many keys of a path lead to the unit that the strategy merges as a whole: 2 for the path to the rates of a
   * named rule, because the whole rule is lost, not only its rates. Default: all of them, because each field is a unit.
   */
  readonly unitAt?: (path: readonly string[]) => number;
  /** The paths with their own rules, as in {@link FieldWiseOptions.at}. Policy kinds check that their schema has them. Default: none. */
  readonly rules?: Readonly<Record<string, FieldStrategy>>;
  /** Never set: the specs that it merges, for the compiler. */
  readonly merges?: ((spec: Spec) => void) | undefined;
}

/** A strategy that supports defaults and overrides. */
// biome-ignore lint/suspicious/noExplicitAny: as for MergeStrategy.
export type TwoSidedStrategy<Spec = any> = MergeStrategy<Spec> & Required<Pick<MergeStrategy, Stanza>>;

/** The names that GEP-713 requires in statuses. */
export type StrategyName =
  | 'None'
  | 'Atomic defaults'
  | 'Atomic overrides'
  | 'Patch defaults'
  | 'Patch overrides'
  | 'Custom';

/**
 * Returns the name of a strategy as GEP-713 spells it.
 *
 * @param stanza The stanza that it is used for.
 * @returns One of GEP-713's six names.
 */
export function strategyName({ granularity }: MergeStrategy, stanza: Stanza): StrategyName {
  return granularity === 'Atomic' || granularity === 'Patch' ? `${granularity} ${stanza}` : granularity;
}
