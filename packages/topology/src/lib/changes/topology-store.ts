import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Kinds } from '../model/kinds.ts';
import type { TopologyDelta } from '../model/topology-change.ts';
import { apply } from './apply.ts';
import type { ResourceChange } from './change-in-progress.ts';
import { type CheckedChange, checkChange, invalidResources } from './check-change.ts';
import { deltaOf } from './delta.ts';
import { deepIssues } from './faulty-resources.ts';
import { Listing } from './listing.ts';
import { TopologyState } from './topology-state.ts';

/** Holds the state of a topology, which is built again if a change fails, and the listed kinds. */
export class TopologyStore {
  readonly listing: Listing;
  #state: TopologyState;
  /** The remaining parts of changes that are applied in slices, by locator. Abandoned changes are garbage-collected. */
  readonly #pending = new Set<WeakRef<Map<string, ResourceChange>>>();

  /** @param listing The listed kinds. Default: none. */
  constructor(kinds: Kinds, listing = new Listing(kinds)) {
    this.#state = new TopologyState(kinds);
    this.listing = listing;
  }

  get state(): TopologyState {
    return this.#state;
  }

  /** Registers a change that is applied in slices. Other changes are newer, so the resources that they touch are deleted from it. */
  expect(pending: Map<string, ResourceChange>): void {
    this.#pending.add(new WeakRef(pending));
  }

  /**
   * Applies a change.
   *
   * @param given The rest of the change, if this is a slice of it.
   * @throws {PolicyMachineryError} `invalid-resources`, `cycle`. The state is unchanged then.
   * @throws The errors of functions of a kind, unless they are issues of one resource.
   */
  take(
    { resources, removed, strangers, ignored, upserted }: CheckedChange,
    given?: Map<string, ResourceChange>,
  ): TopologyDelta {
    const state = this.#state;
    try {
      const change = apply(state, resources);
      state.strangers.change(removed, strangers);
      this.#overtake([...resources.keys(), ...removed], given);
      return deltaOf(state, change, ignored);
    } catch (error) {
      if (error instanceof PolicyMachineryError && error.code === 'cycle') throw error;
      this.#state = remade(state);
      const issues = deepIssues(upserted);
      throw issues.length === 0 ? error : invalidResources(issues, error);
    }
  }

  #overtake(locators: readonly string[], given: Map<string, ResourceChange> | undefined): void {
    for (const reference of this.#pending) {
      const pending = reference.deref();
      if (pending === undefined || pending.size === 0) this.#pending.delete(reference);
      else if (pending !== given) for (const locator of locators) pending.delete(locator);
    }
  }
}

/** Returns a new state of the same resources: views start over. */
function remade({ kinds, given, version, strangers }: TopologyState): TopologyState {
  const state = new TopologyState(kinds);
  state.strangers.change([], strangers.all);
  state.version = version;
  apply(state, checkChange({ upsert: given.values() }, state).resources);
  return state;
}
