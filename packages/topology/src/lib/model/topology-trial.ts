import type { Topology } from './topology.ts';
import type { SliceOptions, TopologyChange, TopologyDelta } from './topology-change.ts';

/**
 * A second topology of the same resources, on which changes are tried. Made with `trial` of a topology, which it follows.
 */
export interface TopologyTrial {
  /**
   * The second topology: while a change is tried, as the change would make the other one. It refuses `apply` and `replace`. Views of it follow
   * the changes that are tried and taken back.
   */
  readonly topology: Topology;
  /** Whether the second topology has followed all changes of the other one. */
  readonly isUpToDate: boolean;
  /**
   * Follows the changes of the other topology in slices, as `applyInSlices` applies them: at first, all resources. A change that is tried
   * before the last slice follows all that is left at once.
   *
   * @param options The size of a slice.
   * @returns A generator that applies a slice each time you ask for the next value.
   */
  followInSlices(options?: SliceOptions): Generator<void, void, void>;
  /**
   * Applies a change to the second topology, asks a question, and takes the change back, also when the question throws.
   *
   * @param change As for `apply`.
   * @param ask Is called once, with what `apply` would return. It must not return a promise, because the change is taken back when it returns.
   * @returns What `ask` returns. O(what the change touches), after O(what has changed in the other topology).
   * @throws {PolicyMachineryError} As `apply`; `nested-trial`, when `ask` tries another change; `asynchronous-trial`, when `ask` returns a
   * promise.
   * @throws What `ask` throws.
   */
  of<Result>(change: TopologyChange, ask: (delta: TopologyDelta) => Result): Result;
}
