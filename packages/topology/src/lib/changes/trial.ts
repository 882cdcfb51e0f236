import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology } from '../model/topology.ts';
import type { SliceOptions, TopologyChange, TopologyDelta } from '../model/topology-change.ts';
import type { TopologyTrial } from '../model/topology-trial.ts';
import { inverseOf, type ResourceChange } from './change-in-progress.ts';
import { type CheckedChange, checkChange } from './check-change.ts';
import { takeInSlices } from './slices.ts';
import type { TopologyStore } from './topology-store.ts';

/** Tries changes on a second store of the same resources, and takes them back. */
export class StoreTrial implements TopologyTrial {
  readonly topology: Topology;
  readonly #live: TopologyStore;
  /** The second store. Between trials, it has the resources that the live store had when it was last followed. */
  readonly #own: TopologyStore;
  /** The version of the live store that was followed last. */
  #version = never;
  #isTrying = false;

  /**
   * @param copy An empty store of the same kinds.
   * @param topology The topology of the own store.
   */
  constructor(live: TopologyStore, copy: TopologyStore, topology: Topology) {
    this.#live = live;
    this.#own = copy;
    this.topology = topology;
  }

  get isUpToDate(): boolean {
    return this.#version === this.#live.state.version;
  }

  *followInSlices(options?: SliceOptions): Generator<void, void, void> {
    while (!this.isUpToDate) {
      const { version } = this.#live.state;
      for (const _ of takeInSlices(this.#own, this.#difference(), options)) {
        yield;
        if (this.#version >= version) break; // A trial in between has followed the rest.
      }
      this.#version = Math.max(this.#version, version);
    }
  }

  of<Result>(change: TopologyChange, ask: (delta: TopologyDelta) => Result): Result {
    if (this.#isTrying) refuse('nested-trial', 'A change is being tried already; try both in one change');
    this.#follow();
    const checked = checkChange(change, this.#own.state);
    const delta = this.#own.take(checked);
    this.#isTrying = true;
    try {
      const result = ask(delta);
      if (isPromise(result)) refuse('asynchronous-trial', 'The change is taken back already; ask without await');
      return result;
    } finally {
      this.#takeBack(checked);
      this.#isTrying = false;
    }
  }

  #follow(): void {
    if (this.isUpToDate) return;
    const { version } = this.#live.state;
    this.#own.take(this.#difference());
    this.#version = version;
  }

  /** Returns the change that makes both stores equal. O(changes in between); O(resources) if the changes are too large to be kept. */
  #difference(): CheckedChange {
    const [live, trialState] = [this.#live.state, this.#own.state];
    const records = live.log.since(this.#version, live.version);
    const locators = records?.flatMap(({ given }) => given) ?? [...trialState.given.keys(), ...live.given.keys()];
    const resources = new Map<string, ResourceChange>();
    for (const locator of locators) {
      const [previous, current] = [trialState.given.get(locator), live.given.get(locator)];
      const knownKind =
        previous === current ? undefined : live.kinds.of((current ?? previous) as NonNullable<typeof previous>);
      if (knownKind !== undefined) resources.set(locator, { locator, kind: knownKind, previous, current });
    }
    const removed = trialState.strangers.all.map(({ locator }) => locator); // Usually none.
    return { resources, removed, strangers: live.strangers.all, ignored: [], upserted: [] };
  }

  #takeBack({ resources, removed, strangers }: CheckedChange): void {
    const version = this.#version;
    this.#version = never; // Unless the following succeeds.
    const touched = new Set([...removed, ...strangers.map(({ locator }) => locator)]);
    const restored = touched.size === 0 ? [] : this.#live.state.strangers.all.filter((it) => touched.has(it.locator));
    const inverse = inverseOf(resources.values());
    this.#own.take({ resources: inverse, removed: [...touched], strangers: restored, ignored: [], upserted: [] });
    this.#version = version;
  }
}

/** The version of a store that was never followed. */
const never = -1;

function refuse(code: string, message: string): never {
  throw new PolicyMachineryError(code, message);
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
