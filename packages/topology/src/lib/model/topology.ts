// model/: the words of this package, as types and small functions without state. A target kind describes resources that policies can target,
// a section is a named part of a resource, a reference is what a resource says about others, and a node is a target or policy with what has
// become of it. The types describe one recursive thing, so some of the files import each other's types.

import type { GroupKind, Issue, KubernetesObject, ResourceRef } from '@policy-machinery/resource';
import type { ChangeRecord } from './change-record.ts';
import type { RefusedReference, UnresolvedReference } from './dangling-references.ts';
import type { Path, PathOptions, Position } from './path.ts';
import type { AttachableKind, PolicyNode } from './policy-node.ts';
import type { RequiredKind } from './required-kind.ts';
import type { ResolvedReference } from './resolved-reference.ts';
import type { Targetable, TargetKind } from './target-kind.ts';
import type { TargetLike, TargetNode } from './target-node.ts';
import type { SliceOptions, TopologyChange, TopologyDelta } from './topology-change.ts';
import type { TopologyTrial } from './topology-trial.ts';

/**
 * The graph of targets and of the policies that are attached to them.
 *
 * Made with {@link createTopology}. Every query answers from the resources as of the last successful {@link apply}. About a target
 * that the topology does not hold, the answer is empty.
 */
export abstract class Topology {
  /**
   * Applies a change; with {@link replace} the only way to modify a topology, for the first resource and for the millionth. The result does
   * not depend on the order of the resources. Objects are kept as they are, neither copied, changed nor frozen: do not change them later.
   *
   * @param change The resources that are new, changed or gone. A resource that is both removed and upserted is upserted.
   * @returns The targets and policies that are new, gone, or have another resource, other links or other attachments.
   * @throws {PolicyMachineryError} Leaving everything as it was: `invalid-resources` for values that are no Kubernetes objects or no JSON,
   * fields that are no lists, resources that come twice, and removals that name no whole resource; `cycle` when links lead back to where they
   * came from, naming the cycle.
   * @throws Leaving everything as it was: what a kind's functions throw where nothing catches it. O(resources) then.
   */
  abstract apply(change: TopologyChange): TopologyDelta;

  /**
   * Replaces all resources of a kind with a complete list, and remembers that the kind is listed: from the first call on, kinds without
   * a list are among the {@link unlistedKinds}, and statuses that depend on them are not planned. Events of watches that begin with the
   * list are for {@link apply}.
   *
   * @param kind One of the kinds of this topology.
   * @param list All its resources. None where the API server does not know the kind.
   * @returns What is new, gone or changed, as from {@link apply}. O(resources).
   * @throws {PolicyMachineryError} As {@link apply}, leaving everything as it was; `invalid-resources` also for resources of other
   * kinds; `unknown-kind`, when the topology does not know the kind.
   * @example
   * ```ts
   * for (const kind of topology.requiredKinds) topology.replace(kind, await listAll(kind));
   * ```
   */
  abstract replace(kind: GroupKind, list: Iterable<KubernetesObject>): TopologyDelta;

  /**
   * Applies a change in slices, so that you can do other work between them: a large change blocks the event loop for as long as it takes to
   * parse it several times. Each slice is a change of its own, and every query in between answers from what has been applied so far. Resources
   * are applied in an order in which few references are resolved twice: those that others refer to first, policies last.
   *
   * You can apply other changes between slices. What these touch stays as they have left it, since they are newer.
   *
   * @param change As for {@link apply}. All of it is checked before the first slice.
   * @param options The size of a slice.
   * @returns A generator that applies a slice each time you ask for the next value, and returns what the slice has changed.
   * @throws {PolicyMachineryError} As {@link apply}; `invalid-resources` at once, before anything is applied. What a slice throws leaves the
   * slices before it applied. A cycle that exists only between two slices is refused as well.
   * @example
   * ```ts
   * for (const _ of topology.applyInSlices({ upsert: resources })) await setImmediate(); // Of node:timers/promises.
   * ```
   */
  abstract applyInSlices(change: TopologyChange, options?: SliceOptions): Generator<TopologyDelta, void, void>;

  /**
   * Replaces all resources of a kind with a complete list, in slices. The kind is among the {@link unlistedKinds} until the last slice has been
   * applied, so that no plan of statuses takes a part of the list for all of it.
   *
   * @param kind As for {@link replace}.
   * @param list As for {@link replace}. All of it is checked before the first slice.
   * @param options The size of a slice.
   * @returns A generator as of {@link applyInSlices}.
   * @throws {PolicyMachineryError} As {@link replace} and {@link applyInSlices}.
   * @example
   * ```ts
   * for (const kind of topology.requiredKinds) {
   *   for (const _ of topology.replaceInSlices(kind, await listAll(kind))) await setImmediate();
   * }
   * ```
   */
  abstract replaceInSlices(
    kind: GroupKind,
    list: Iterable<KubernetesObject>,
    options?: SliceOptions,
  ): Generator<TopologyDelta, void, void>;

  /**
   * Returns the topology as a change would make it. This one stays as it is.
   *
   * @param change As for {@link apply}.
   * @returns The other topology, and what is different in it. O(resources).
   * @throws {PolicyMachineryError} As {@link apply}.
   */
  abstract with(change: TopologyChange): { readonly topology: Topology; readonly delta: TopologyDelta };

  /**
   * Makes a second topology of the same resources, on which changes are tried: where {@link with} processes all resources for each question,
   * a trial processes what a change touches, and takes the change back. This topology never shows a change that is tried.
   *
   * @returns The trial. It is filled when you first try a change, or ask it to follow, and keeps the second topology in memory.
   */
  abstract trial(): TopologyTrial;

  /** The number of changes so far, by which views know whether they are up to date. */
  abstract get version(): number;

  /**
   * Returns what has changed since an earlier version, for views that follow the topology.
   *
   * @param since The `version` as it was then.
   * @returns One record for each change, the oldest first; `undefined` when too much has changed to be kept, and the view must start afresh.
   */
  abstract changesSince(since: number): readonly ChangeRecord[] | undefined;

  /**
   * Returns the issues about one resource, in the same order as among {@link issues}. O(what it returns).
   *
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  abstract issuesAbout(resource: ResourceRef | string): readonly Issue[];

  /** Returns the whole resources in a namespace, in no order. O(1). */
  abstract membersOf(namespace: TargetNode): Iterable<TargetNode>;

  /** Whether paths may lead from targets of one kind down to those of another, or both are the same. */
  abstract leadsTo(above: TargetKind, below: TargetKind): boolean;

  /**
   * The kinds whose resources a topology needs, as clients ask an API server for them: kinds of targets, of policies, Namespaces
   * and ReferenceGrants. No virtual kinds. In the order in which they are best listed: those that others refer to come first.
   */
  abstract get requiredKinds(): readonly RequiredKind[];

  /**
   * The {@link requiredKinds} that have not been listed with {@link replace}. None before the first list: a topology that only gets changes,
   * by {@link apply}, counts as complete.
   */
  abstract get unlistedKinds(): readonly RequiredKind[];

  /**
   * Returns those of the {@link unlistedKinds} on which the policies of a kind depend: that kind, and every kind that is no other policy
   * kind.
   *
   * @param policyKind The kind of the policies.
   */
  abstract unlistedFor(policyKind: GroupKind): readonly RequiredKind[];

  /** The target kinds that this topology knows. */
  abstract get targetKinds(): Iterable<TargetKind>;

  /** The policy kinds that this topology attaches. */
  abstract get policyKinds(): Iterable<AttachableKind>;

  /**
   * What is wrong with the resources: targets that are missing or unsupported, names that collide … By locator. Ignored resources of a group
   * that is not declared, but with the name of a policy kind, are one issue for each kind, which counts them.
   */
  abstract get issues(): readonly Issue[];

  /** References between resources that lead nowhere yet. */
  abstract get unresolved(): readonly UnresolvedReference[];

  /**
   * References that their targets do not admit, or that no ReferenceGrant permits: one entry for each target or section that is not
   * linked. References that lead nowhere at all because of this are issues, too.
   */
  abstract get refused(): readonly RefusedReference[];

  /**
   * Returns what has become of each reference that a target holds itself: not of those of its sections or object.
   *
   * @param target The target.
   * @returns One for each reference, in the order of the resource, also for those that make no link. Their ends include those whose links
   * relaying references close, and those whose links give way in cycles. O(references and their ends).
   */
  abstract referencesOf(target: TargetLike): readonly ResolvedReference[];

  /**
   * Returns the whole resources that hold references to a resource or to sections of it, or select it, whether or not these are admitted.
   *
   * @param target The resource.
   * @returns The resources, in no order. O(references to it).
   */
  abstract referrersOf(target: TargetLike): Iterable<TargetNode>;

  /** Every target in the order of locators, sections after their object. */
  abstract get targets(): Iterable<TargetNode>;

  /**
   * Returns the targets of some kinds, whole resources and sections, in the same order.
   *
   * @param kinds The kinds; those that the topology does not know are passed over.
   */
  abstract targetsOf(kinds: Iterable<Targetable | GroupKind>): Iterable<TargetNode>;

  /** The targets that paths begin with: no link leads to them, nor to each of their sections. */
  abstract get roots(): readonly TargetNode[];

  /**
   * Returns the target of a name, as it is now.
   *
   * @param target A locator, a reference, or a node, which may be from before a change.
   * @returns The target, or `undefined` when the topology does not hold it. O(1).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  abstract get(target: TargetLike): TargetNode | undefined;

  /** Returns one step up from a target: where links come from, and the object of a section. */
  abstract parents(target: TargetLike): readonly TargetNode[];

  /** Returns one step down from a target: its sections, and where its links lead. */
  abstract children(target: TargetLike): readonly TargetNode[];

  /** Returns every target on a path down to this one, by locator. O(targets and links above). */
  abstract ancestors(target: TargetLike): readonly TargetNode[];

  /** Returns every target on a path from this one, by locator. O(targets and links below). */
  abstract descendants(target: TargetLike): readonly TargetNode[];

  /**
   * Returns the paths from one target down to another, made one by one as you ask for them.
   *
   * @param from Where the paths begin.
   * @param to Where they end.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths; one when both targets are the same.
   * @throws {PolicyMachineryError} `too-many-paths`, on asking for one more than the limit.
   */
  abstract paths(from: TargetLike, to: TargetLike, options?: PathOptions): Iterable<Path>;

  /**
   * Returns all paths to a target, from wherever they begin; made one by one as you ask for them.
   *
   * @param to Where the paths end.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths, least specific target first.
   * @throws {PolicyMachineryError} `too-many-paths`, on asking for one more than the limit.
   */
  abstract pathsTo(to: TargetLike, options?: PathOptions): Iterable<Path>;

  /**
   * Returns the policy of a name, whether it is attached to anything or not.
   *
   * @param policy Locator or reference.
   * @returns The policy, or `undefined` when the topology does not hold it. O(1).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  abstract policy(policy: ResourceRef | string): PolicyNode | undefined;

  /**
   * Returns the policies of the topology, by locator, whether they are attached to anything or not.
   *
   * @param kind Only those of this kind. Default: all.
   */
  abstract policies(kind?: GroupKind): readonly PolicyNode[];

  /**
   * Returns the policies attached to a target itself: not those of its sections, object or namespace.
   *
   * @param target The target.
   * @param kind Only those of this kind. Default: all.
   */
  abstract policiesAt(target: TargetLike, kind?: GroupKind): readonly PolicyNode[];

  /**
   * Every position that a path can be at, each after all that lead to it: for walking all paths at once. Made on first use
   * after a change. O(targets + links).
   */
  abstract get positions(): readonly Position[];
}
