import { type GroupKind, type ObjectLike, PolicyMachineryError } from '@policy-machinery/resource';
import { checkChange } from './changes/check-change.ts';
import { checkReplacement, withoutSameVersions } from './changes/replacement.ts';
import { takeInSlices } from './changes/slices.ts';
import { TopologyStore } from './changes/topology-store.ts';
import { StoreTrial } from './changes/trial.ts';
import type { IsComplete } from './model/completeness.ts';
import { Kinds } from './model/kinds.ts';
import type { AttachableKind } from './model/policy-node.ts';
import type { TargetKind } from './model/target-kind.ts';
import type { Topology } from './model/topology.ts';
import type { SliceOptions, TopologyChange, TopologyDelta } from './model/topology-change.ts';
import type { TopologyTrial } from './model/topology-trial.ts';
import { TopologyQueries } from './topology-queries.ts';

/** The kinds of a topology, besides Namespaces and ReferenceGrants, and facts about them. Resources of other kinds are ignored. */
export interface TopologyOptions {
  readonly targetKinds: Iterable<TargetKind>;
  /** The policy kinds. Default: none. */
  readonly policyKinds?: Iterable<AttachableKind> | undefined;
  /**
   * The kinds and namespaces with complete resources. State it if you give a topology only a part of a cluster, such as files: references to
   * resources that may be elsewhere are then undecided, and are not reported as missing. Default: everything, as in a controller.
   */
  readonly isComplete?: IsComplete | undefined;
}

/** A topology that stays up to date: each change renews only the parts that it touches. */
class LiveTopology extends TopologyQueries {
  readonly #store: TopologyStore;
  /** Whether this is the second topology of a trial, which only the trial changes. */
  readonly #isTried: boolean;

  constructor(store: TopologyStore, isTried = false) {
    super(store);
    this.#store = store;
    this.#isTried = isTried;
  }

  /** The store, for changes from outside. */
  get #writable(): TopologyStore {
    if (!this.#isTried) return this.#store;
    const message = 'This is the topology of a trial; change the one that it follows, or try a change';
    throw new PolicyMachineryError('trial', message);
  }

  apply(change: TopologyChange): TopologyDelta {
    const store = this.#writable;
    return store.take(checkChange(change, store.state));
  }

  applyInSlices(change: TopologyChange, options?: SliceOptions): Generator<TopologyDelta, void, void> {
    const store = this.#writable;
    return takeInSlices(store, checkChange(change, store.state), options);
  }

  replace(kind: GroupKind, list: Iterable<ObjectLike>): TopologyDelta {
    const store = this.#writable;
    const checked = checkReplacement(kind, list, store.state);
    const delta = store.take({ ...checked, resources: withoutSameVersions(checked.resources) });
    store.listing.add(kind);
    return delta;
  }

  replaceInSlices(
    kind: GroupKind,
    list: Iterable<ObjectLike>,
    options?: SliceOptions,
  ): Generator<TopologyDelta, void, void> {
    const store = this.#writable;
    const { listing } = store;
    const checked = checkReplacement(kind, list, store.state);
    listing.begin();
    const slices = takeInSlices(store, checked, options, withoutSameVersions);
    return (function* () {
      yield* slices;
      listing.add(kind);
    })();
  }

  with(change: TopologyChange): { readonly topology: Topology; readonly delta: TopologyDelta } {
    const { kinds, given, strangers } = this.#store.state;
    const store = new TopologyStore(kinds, this.#store.listing.copy());
    const topology = new LiveTopology(store);
    topology.apply({ upsert: given.values() });
    store.state.strangers.change([], strangers.all);
    return { topology, delta: topology.apply(change) };
  }

  trial(): TopologyTrial {
    const ownStore = new TopologyStore(this.#store.state.kinds, this.#store.listing);
    return new StoreTrial(this.#store, ownStore, new LiveTopology(ownStore, true));
  }
}

/**
 * Creates an empty topology.
 *
 * @param options The kinds of the topology.
 * @returns The topology; fill it with `apply`.
 * @throws {PolicyMachineryError} `invalid-kinds` if a value is not a kind; `duplicate-kind` if a kind is given twice; `unknown-kind` if a policy kind
 * names a kind of target, declared or effective, that `targetKinds` lacks; `unreachable-target` if no target of a policy kind can lead to one
 * of its effective targets, or if one of its targets can lead to none.
 * @example
 * ```ts
 * const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [RateLimitPolicy] });
 * topology.apply({ upsert: resources });
 * ```
 */
export function createTopology(options: TopologyOptions): Topology {
  const { targetKinds, policyKinds = [], isComplete } = options ?? {};
  return new LiveTopology(new TopologyStore(new Kinds(targetKinds, policyKinds, isComplete)));
}
