import type { Topology } from './topology.ts';
import type { SliceOptions, TopologyChange, TopologyDelta } from './topology-change.ts';

/** A second topology of the same resources, to try changes on. Created with `trial` of a topology, which it follows. */
export interface TopologyTrial {
  /**
   * The second topology, with the change while a change is tried. It refuses `apply` and `replace`. Its views follow changes that are tried and taken
   * back.
   */
  readonly topology: Topology;
  /** Whether the second topology has followed all changes of the first one. */
  readonly isUpToDate: boolean;
  /**
   * Follows the changes of the first topology in slices, like `applyInSlices`; the first time, all resources. If you try a change before the last
   * slice, everything that is left is followed at once.
   *
   * @param options The size of a slice.
   * @returns A generator that applies a slice each time you ask for the next value.
   */
  followInSlices(options?: SliceOptions): Generator<void, void, void>;
  /**
   * Applies a change to the second topology, calls a function, and takes the change back, even if the function throws.
   *
   * @param change A change, as for `apply`.
   * @param ask The function, which is called once with the result of `apply`. It must not return a promise, because the change is taken back when
   * it returns.
   * @returns The result of `ask`. O(affected targets), after O(changes of the first topology).
   * @throws {PolicyMachineryError} Errors of `apply`; `nested-trial` if `ask` tries another change; `asynchronous-trial` if `ask` returns a
   * promise.
   * @throws Errors of `ask`.
   */
  of<Result>(change: TopologyChange, ask: (delta: TopologyDelta) => Result): Result;
}
