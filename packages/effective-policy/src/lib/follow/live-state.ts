import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { ChangeRecord, TargetNode, Topology } from '@policy-machinery/topology';
import { statusesTouched } from '@policy-machinery/topology/inner';
import type { Hierarchy } from '../answers/hierarchy.ts';
import { hierarchyLike } from '../answers/hierarchy-like.ts';
import { type Elsewhere, type ViewOptions, ViewState } from '../answers/view-state.ts';
import type { DeclaredPolicy } from '../levels/declared-policy.ts';
import type { Level } from '../levels/level.ts';
import { isSameList } from '../support/same.ts';
import { changedExistence } from './changed-existence.ts';
import type { ChangeEffects, GatheredChanges } from './effective-delta.ts';
import { follow } from './follow.ts';
import { compareScopes, renewScopes, renewSharesAt, touchBelow, touchUnreached } from './renew-scopes.ts';

/** A state becomes compact once it has this many lists of arrivals, and this many times as many as are in use. */
const sparse = { atLeast: 1024, perListInUse: 4 };

/** The state of the effective policies of a kind, kept up to date with the topology, and the effects of changes for readers. */
export class LiveState<Spec> implements Elsewhere<Spec> {
  readonly #topology: Topology;
  readonly #options: ViewOptions;
  readonly #elsewhere: Elsewhere<Spec> | undefined;
  readonly #readers = new Set<GatheredChanges>();
  #present: ViewState<Spec>;
  #version: number;
  /** Whether a kind gives its resources their own status. */
  readonly #hasStatuses: boolean;
  /** The locators of the policies with a controller's verdict that may differ. */
  readonly #asked = new Set<string>();
  /** Whether all changes up to the version have been followed. */
  #isSound = true;
  /** Whether the topology had undecided links at the last version. */
  #hadUndecidedLinks = false;
  /** The number of lists of arrivals when those in use are counted next. */
  #countAt = sparse.atLeast;

  constructor(topology: Topology, kind: PolicyKind<Spec>, options: ViewOptions, elsewhere?: Elsewhere<Spec>) {
    this.#topology = topology;
    this.#options = options;
    this.#elsewhere = elsewhere;
    this.#present = new ViewState(topology, kind, options, elsewhere);
    this.#version = topology.version;
    this.#hadUndecidedLinks = topology.hasUndecidedLinks;
    this.#hasStatuses = [...topology.targetKinds].some(({ status }) => status !== undefined);
  }

  /** Returns a policy as it was read last. */
  policy(locator: string): DeclaredPolicy<Spec> | undefined {
    return this.#present.levels.policy(locator);
  }

  /** Returns the known hierarchy with the same resources and policies. */
  hierarchyLike(levels: readonly Level<Spec>[]): Hierarchy<Spec> | undefined {
    return hierarchyLike(this.#present, levels); // Levels may be of another time, so they are compared.
  }

  /** Adds a reader of all changes from now on. */
  addReader(reader: GatheredChanges): void {
    this.follow();
    if (this.#hasStatuses) reader.expectStatuses();
    this.#readers.add(reader);
  }

  /** Asks for the controller's verdicts on some policies again, by locator. */
  reconsider(policies: Iterable<string>): void {
    for (const policy of policies) this.#asked.add(policy);
  }

  /** Brings the state up to date. O(changes after the last call, and targets below them). */
  follow(): ViewState<Spec> {
    const { version } = this.#topology;
    if (version === this.#version && this.#asked.size === 0) return this.#present;
    const records = this.#isSound ? this.#topology.changesSince(this.#version) : undefined;
    this.#isSound = false; // Unless all of the following succeeds.
    const change = records === undefined ? this.#startAfresh() : this.#followRecords(records);
    const existence = changedExistence(this.#topology, records);
    const statuses = this.#hasStatuses ? statusesTouched(this.#topology, records) : undefined;
    for (const reader of this.#readers) reader.add({ ...change, ...existence, statuses });
    this.#isSound = true;
    this.#hadUndecidedLinks = this.#topology.hasUndecidedLinks;
    this.#asked.clear();
    this.#version = version;
    this.#compact();
    return this.#present;
  }

  /** Makes the state compact once most lists of arrivals belong to earlier topologies: its tables only grow. O(state), O(1) on average. */
  #compact(): void {
    const { contexts } = this.#present;
    const { count } = contexts.positions.arrivals;
    if (count < this.#countAt) return;
    const inUse = contexts.listsInUse;
    this.#countAt = Math.max(2 * count, sparse.atLeast);
    if (count <= sparse.perListInUse * inUse) return;
    this.#present.compact();
    this.#countAt = Math.max(sparse.perListInUse * inUse, sparse.atLeast);
  }

  #followRecords(records: readonly ChangeRecord[]): Omit<ChangeEffects, 'came' | 'gone'> {
    const present = this.#present;
    const { topology, kind } = present;
    const otherOwners = present.ours.follow(records); // Before paths, which depend on it.
    const otherPaths = present.included.follow(records);
    const differentlyManaged = [...present.managed.follow(records), ...otherOwners, ...otherPaths];
    const withOtherValues = this.#withOtherValues(records);
    const leftOut = present.contexts.knownLeftOut;
    present.forgetLeftOut();
    const levels = present.levels.follow(records, this.#asked);
    const followed = follow(present, records, { levels, hasOtherValues: withOtherValues.size > 0, otherPaths });
    const { targets, lookedAt, objects, edited, isMoved } = followed;
    const policies = new Set([...this.#asked].filter((locator) => present.levels.policy(locator) !== undefined));
    for (const target of withOtherValues) {
      const contexts = present.contexts.of(target);
      if (!present.contexts.positions.arrivals.isEmpty(contexts)) targets.add(target); // Without a path to the target, nothing differs.
      if (!lookedAt.has(target)) lookedAt.set(target, contexts);
    }
    for (const { policies: changedPolicies, reported } of records) {
      for (const [locator, { was, now }] of changedPolicies) if ((now ?? was)?.kind === kind) policies.add(locator);
      for (const locator of reported) if (present.levels.policy(locator) !== undefined) policies.add(locator);
    }
    const touch = (policy: string) => policies.add(policy);
    const isByPath = this.#hadUndecidedLinks || topology.hasUndecidedLinks;
    compareScopes(present, edited, touch);
    if (isMoved || present.scopes.known === undefined) {
      for (const [target, contextsBefore] of lookedAt) renewScopes(present, target, contextsBefore, touch, isByPath);
    }
    renewSharesAt(present, levels.targets, touch);
    for (const locator of followed.policies) if (mayLackScopes(present, locator)) touch(locator);
    for (const target of differentlyManaged) touchBelow(present, target, touch, objects);
    for (const { unsettled } of records) for (const target of unsettled) touchBelow(present, target, touch, objects);
    touchUnreached(present, records, touch);
    if (!isSameList(leftOut, present.contexts.knownLeftOut)) {
      // A target with too many contexts concerns all policies above, so everything is looked at again.
      for (const { node } of present.levels.policies) policies.add(node.locator);
      for (const { object } of topology.targets) objects.add(object);
    }
    present.forgetSlots(levels);
    return { targets, policies, affectedObjects: objects };
  }

  /** Returns the effective targets where own values, or the fields that count, may differ, and forgets own values. */
  #withOtherValues(records: readonly ChangeRecord[]): ReadonlySet<TargetNode> {
    const isPart = (target: TargetNode) => this.#topology.get(target) === target && this.#present.isPartByLinks(target);
    const linked = records.flatMap(({ changed, restated }) => [...changed, ...restated]);
    const withOtherValues = new Set(linked.filter(isPart));
    if (this.#present.kind.ownValue === undefined) return withOtherValues;
    for (const { changed, gone } of records) {
      for (const target of gone) this.#present.renewOwn(target);
      for (const target of changed) {
        const { contexts, levels } = this.#present;
        if (!contexts.isWanted(target) || levels.hasOwnLevel(target) || !this.#present.renewOwn(target)) continue;
        if (this.#topology.get(target) === target) withOtherValues.add(target);
      }
    }
    return withOtherValues;
  }

  /** Starts over, because the changes are too large to follow. */
  #startAfresh(): Omit<ChangeEffects, 'came' | 'gone'> {
    const stateBefore = this.#present;
    const { topology, kind } = stateBefore;
    this.#present = new ViewState(topology, kind, this.#options, this.#elsewhere, stateBefore.levels);
    const policies = [...stateBefore.levels.policies, ...this.#present.levels.policies].map(({ node }) => node.locator);
    const targets = new Set([...stateBefore.contexts.allFound, ...topology.targetsOf(kind.effectiveTargets)]);
    const objects = new Set([...targets, ...topology.targets].map(({ object }) => object));
    return { targets, policies, affectedObjects: objects };
  }
}

/** Returns whether the report about a policy may depend on the targets above its own: it is not known to have scopes on its only target. */
function mayLackScopes<Spec>({ levels, scopes }: ViewState<Spec>, locator: string): boolean {
  const declared = levels.policy(locator);
  const isPlain = declared?.node.attachments.length === 1 && declared.verdicts.length === 0;
  return !isPlain || !scopes.has(locator);
}
