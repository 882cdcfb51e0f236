import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type ChangeRecord, statusesTouched, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { Hierarchy } from '../answers/hierarchy.ts';
import { hierarchyLike } from '../answers/hierarchy-like.ts';
import { type Elsewhere, type ViewOptions, ViewState } from '../answers/view-state.ts';
import type { DeclaredPolicy } from '../levels/declared-policy.ts';
import type { Level } from '../levels/level.ts';
import { isSameList } from '../support/same.ts';
import { changedExistence, unknownExistence } from './changed-existence.ts';
import type { EffectiveChange, GatheredChanges } from './effective-delta.ts';
import { follow } from './follow.ts';
import { compareScopes, renewScopes, renewSharesAt, touchBelow } from './renew-scopes.ts';

/** What is known of the effective policies of a kind, kept up to date with the topology, and what its changes have done. */
export class LiveState<Spec> implements Elsewhere<Spec> {
  readonly #topology: Topology;
  readonly #options: ViewOptions;
  readonly #elsewhere: Elsewhere<Spec> | undefined;
  readonly #readers = new Set<GatheredChanges>();
  #present: ViewState<Spec>;
  #version: number;
  /** Whether kinds give their resources a status of their own. */
  readonly #hasStatuses: boolean;
  /** Locators of the policies of which the controller may find something else than before. */
  readonly #asked = new Set<string>();
  /** Whether it has followed all changes up to its version. */
  #isSound = true;

  constructor(topology: Topology, kind: PolicyKind<Spec>, options: ViewOptions, elsewhere?: Elsewhere<Spec>) {
    this.#topology = topology;
    this.#options = options;
    this.#elsewhere = elsewhere;
    this.#present = new ViewState(topology, kind, options, elsewhere);
    this.#version = topology.version;
    this.#hasStatuses = [...topology.targetKinds].some(({ status }) => status !== undefined);
  }

  /** A policy as it was read last. */
  policy(locator: string): DeclaredPolicy<Spec> | undefined {
    return this.#present.levels.policy(locator);
  }

  /** The hierarchy of the very same resources and policies, if it is known. */
  hierarchyLike(levels: readonly Level<Spec>[]): Hierarchy<Spec> | undefined {
    return hierarchyLike(this.#present, levels); // It compares these: they may be of another time.
  }

  /** Tells a reader of all changes from now on. */
  tell(reader: GatheredChanges): void {
    this.follow();
    if (this.#hasStatuses) reader.expectStatuses();
    this.#readers.add(reader);
  }

  /** Has the controller asked again about some policies, by their locators. */
  reconsider(policies: Iterable<string>): void {
    for (const policy of policies) this.#asked.add(policy);
  }

  /** Brings what is known up to date. O(what has changed since the last time, and what is below that). */
  follow(): ViewState<Spec> {
    const { version } = this.#topology;
    if (version === this.#version && this.#asked.size === 0) return this.#present;
    const records = this.#isSound ? this.#topology.changesSince(this.#version) : undefined;
    this.#isSound = false; // Unless nothing of what follows fails.
    const change = records === undefined ? this.#startAfresh() : this.#followRecords(records);
    const existence = records === undefined ? unknownExistence : changedExistence(this.#topology, records);
    const statuses = this.#hasStatuses ? statusesTouched(this.#topology, records) : undefined;
    for (const reader of this.#readers) reader.add({ ...change, statuses, existence });
    this.#isSound = true;
    this.#asked.clear();
    this.#version = version;
    return this.#present;
  }

  #followRecords(records: readonly ChangeRecord[]): DifferentAnswers {
    const present = this.#present;
    const { topology, kind } = present;
    const otherPaths = present.included.follow(records);
    const otherHands = [...present.managed.follow(records), ...otherPaths];
    const spoken = this.#forgetOwnValues(records);
    const leftOut = present.contexts.knownLeftOut;
    present.forgetLeftOut();
    const levels = present.levels.follow(records, this.#asked);
    const followed = follow(present, records, { levels, hasOtherValues: spoken.size > 0, otherPaths });
    const { targets, lookedAt, objects, edited, isMoved } = followed;
    const policies = new Set([...this.#asked].filter((locator) => present.levels.policy(locator) !== undefined));
    for (const target of spoken) {
      const stacks = present.contexts.of(target);
      if (stacks.length > 0) targets.add(target); // Where no path leads, it makes no difference.
      if (!lookedAt.has(target)) lookedAt.set(target, stacks);
    }
    for (const { policies: changedPolicies, reported } of records) {
      for (const [locator, { was, now }] of changedPolicies) if ((now ?? was)?.kind === kind) policies.add(locator);
      for (const locator of reported) if (present.levels.policy(locator) !== undefined) policies.add(locator);
    }
    const touch = (policy: string) => policies.add(policy);
    compareScopes(present, edited, touch);
    if (isMoved || present.scopes.known === undefined) {
      for (const [target, before] of lookedAt) renewScopes(present, target, before, touch);
    }
    renewSharesAt(present, levels.targets, touch);
    // What is said of a policy without scopes may depend on what is above its target.
    for (const locator of followed.policies) {
      const declared = present.levels.policy(locator);
      const isPlain = declared?.node.attachments.length === 1 && declared.verdicts.length === 0;
      const isEverywhereInScope = isPlain && present.scopes.known?.has(locator) === true;
      if (!isEverywhereInScope) policies.add(locator);
    }
    for (const target of otherHands) touchBelow(present, target, touch, objects);
    if (!isSameList(leftOut, present.contexts.knownLeftOut)) {
      // What cannot be worked out is told on all policies above, and of no object: everything is looked at again.
      for (const { node } of present.levels.policies) policies.add(node.locator);
      for (const { object } of topology.targets) objects.add(object);
    }
    return { targets, policies, objects };
  }

  /** The effective targets that may say something else themselves; what they said then is forgotten. */
  #forgetOwnValues(records: readonly ChangeRecord[]): ReadonlySet<TargetNode> {
    const spoken = new Set<TargetNode>();
    if (this.#present.kind.ownValue === undefined) return spoken;
    for (const { changed, gone } of records) {
      for (const target of gone) this.#present.renewOwn(target);
      for (const target of changed) {
        if (!this.#present.contexts.isWanted(target) || !this.#present.renewOwn(target)) continue;
        if (this.#topology.get(target) === target) spoken.add(target);
      }
    }
    return spoken;
  }

  /** So much has changed that everything is looked at again. */
  #startAfresh(): DifferentAnswers {
    const before = this.#present;
    const { topology, kind } = before;
    this.#present = new ViewState(topology, kind, this.#options, this.#elsewhere, before.levels);
    const policies = [...before.levels.policies, ...this.#present.levels.policies].map(({ node }) => node.locator);
    const targets = new Set([...before.contexts.allFound, ...topology.targetsOf(kind.effectiveTargets)]);
    const objects = new Set([...targets, ...topology.targets].map(({ object }) => object));
    return { targets, policies, objects };
  }
}

/** Of what there are other answers than before. */
type DifferentAnswers = Pick<EffectiveChange, 'targets' | 'policies' | 'objects'>;
