// model/: the terms of this package, as types and small functions without state. A target kind describes resources that policies can target, a
// section is a named part of a resource, a reference leads from a resource to others, and a node is a target or policy of a topology. These
// types are mutually recursive, so some of the files import each other's types.

import type { GroupKind, Issue, ObjectLike, ResourceRef } from '@policy-machinery/resource';
import type { ChangeRecord } from './change-record.ts';
import type { Path, PathOptions, Position } from './path.ts';
import type { AttachableKind, PolicyNode } from './policy-node.ts';
import type { Refusal } from './reference.ts';
import type { RequiredKind } from './required-kind.ts';
import type { RefusedReference, ResolvedReference, UnresolvedReference } from './resolved-reference.ts';
import type { Targetable, TargetKind } from './target-kind.ts';
import type { TargetLike, TargetNode } from './target-node.ts';
import type { SliceOptions, TopologyChange, TopologyDelta } from './topology-change.ts';
import type { TopologyTrial } from './topology-trial.ts';

/**
 * The graph of targets and of the policies that are attached to them.
 *
 * Created with {@link createTopology}. All answers are as of the last successful change. The answer about a target that the topology does not hold
 * is empty.
 */
export abstract class Topology {
  /**
   * Applies a change. This method and {@link replace} are the only ways to modify a topology. The result does not depend on the order of the
   * resources. The topology holds your objects, and neither copies, changes nor freezes them: do not change them later.
   *
   * @param change The new, changed and removed resources. A resource that is both removed and upserted is upserted.
   * @returns The targets and policies that were added, removed, or have a changed resource, links or attachments.
   * @throws {PolicyMachineryError} `invalid-resources` for values that are not Kubernetes objects or no JSON, fields that are not lists, duplicate
   * resources, and removals that name no whole resource; `cycle` if links form a cycle, with the cycle. The topology stays unchanged.
   * @throws The errors of functions of a kind, unless they are issues of one resource. The topology stays unchanged, at a cost of O(resources).
   */
  abstract apply(change: TopologyChange): TopologyDelta;

  /**
   * Replaces all resources of a kind with a complete list, and records that the kind is listed. From the first call on, kinds without a list are
   * {@link unlistedKinds}, and statuses that depend on them are not planned. Pass the events of the watch after the list to {@link apply}.
   *
   * @param kind One of the kinds of this topology.
   * @param list All resources of the kind; none if the API server does not serve the kind.
   * @returns The effects, as from {@link apply}. O(resources).
   * @throws {PolicyMachineryError} Errors of {@link apply}; `invalid-resources` also for resources of other kinds; `unknown-kind` if the topology
   * does not have the kind. The topology stays unchanged.
   * @example
   * ```ts
   * for (const kind of topology.requiredKinds) topology.replace(kind, await listAll(kind));
   * ```
   */
  abstract replace(kind: GroupKind, list: Iterable<ObjectLike>): TopologyDelta;

  /**
   * Applies a change in slices, so that you can do other work in between: a large change blocks the event loop for several times as long as parsing
   * it does. Each slice is a separate change, and answers between slices are about the slices so far. The order avoids resolving references twice:
   * resources that others refer to come first, policies last.
   *
   * You can apply other changes between slices. Resources that these touch keep the newer state.
   *
   * @param change A change, as for {@link apply}. The whole change is checked before the first slice.
   * @param options The size of a slice.
   * @returns A generator that applies a slice each time you ask for the next value, and returns the effects of the slice.
   * @throws {PolicyMachineryError} Errors of {@link apply}; `invalid-resources` before anything is applied. If a slice throws, earlier slices
   * stay applied. A cycle that exists only between two slices is refused as well.
   * @example
   * ```ts
   * for (const _ of topology.applyInSlices({ upsert: resources })) await setImmediate(); // Of node:timers/promises.
   * ```
   */
  abstract applyInSlices(change: TopologyChange, options?: SliceOptions): Generator<TopologyDelta, void, void>;

  /**
   * Replaces all resources of a kind with a complete list, in slices. The kind is among the {@link unlistedKinds} until the last slice, so that no
   * plan of statuses takes a part of the list for the whole list.
   *
   * @param kind One of the kinds of this topology.
   * @param list All resources of the kind. The whole list is checked before the first slice.
   * @param options The size of a slice.
   * @returns A generator, like {@link applyInSlices}.
   * @throws {PolicyMachineryError} Errors of {@link replace} and {@link applyInSlices}.
   * @example
   * ```ts
   * for (const kind of topology.requiredKinds) {
   *   for (const _ of topology.replaceInSlices(kind, await listAll(kind))) await setImmediate();
   * }
   * ```
   */
  abstract replaceInSlices(
    kind: GroupKind,
    list: Iterable<ObjectLike>,
    options?: SliceOptions,
  ): Generator<TopologyDelta, void, void>;

  /**
   * Returns another topology with a change applied. This topology stays unchanged.
   *
   * @param change A change, as for {@link apply}.
   * @returns The other topology, and the effects of the change. O(resources).
   * @throws {PolicyMachineryError} Errors of {@link apply}.
   */
  abstract with(change: TopologyChange): { readonly topology: Topology; readonly delta: TopologyDelta };

  /**
   * Creates a second topology of the same resources, to try changes on. {@link with} processes all resources for each question; a trial
   * processes the resources that a change touches, and takes the change back. This topology never shows a change that is tried.
   *
   * @returns The trial. It is filled when you first try a change or call `followInSlices`, and keeps the second topology in memory.
   */
  abstract trial(): TopologyTrial;

  /** The number of changes so far. Views compare it to find out whether they are up to date. */
  abstract get version(): number;

  /**
   * Returns the changes since an earlier version, for views that follow the topology.
   *
   * @param since The earlier `version`.
   * @returns One record for each change, the oldest first; `undefined` if the changes are too large to be kept, so that the view must start over.
   */
  abstract changesSince(since: number): readonly ChangeRecord[] | undefined;

  /**
   * Returns the issues about one resource, in the order of {@link issues}. O(result).
   *
   * @throws {PolicyMachineryError} `invalid-locator` if the text is not a locator.
   */
  abstract issuesAbout(resource: ResourceRef | string): readonly Issue[];

  /** Returns the whole resources in a container, such as a Namespace, in no order. O(1). */
  abstract membersOf(container: TargetNode): Iterable<TargetNode>;

  /** Returns whether paths can lead from targets of one kind down to targets of another, or both kinds are the same. */
  abstract leadsTo(above: TargetKind, below: TargetKind): boolean;

  /**
   * Returns whether the topology is given all resources of a kind in a namespace, as stated when it was created. If not, a resource that it does not hold
   * may exist.
   *
   * @param kind The kind, whether the topology has it or not.
   * @param namespace The namespace. Default: all namespaces; leave it out for cluster-scoped kinds.
   * @param name The name, if only one resource is asked for.
   */
  abstract isComplete(kind: GroupKind, namespace?: string, name?: string): boolean;

  /**
   * The kinds of resources that this topology needs, with the data that clients need to list them: kinds of targets and policies,
   * Namespaces and ReferenceGrants, but no virtual kinds. They are in the best order of listing: kinds that others refer to come first.
   */
  abstract get requiredKinds(): readonly RequiredKind[];

  /**
   * The {@link requiredKinds} that were not listed with {@link replace}. None before the first list: a topology that is only changed with
   * {@link apply} counts as complete.
   */
  abstract get unlistedKinds(): readonly RequiredKind[];

  /**
   * Returns the {@link unlistedKinds} that the policies of a kind depend on: all but the other policy kinds.
   *
   * @param policyKind The kind of the policies.
   */
  abstract unlistedFor(policyKind: GroupKind): readonly RequiredKind[];

  /** The target kinds of this topology. */
  abstract get targetKinds(): Iterable<TargetKind>;

  /** The policy kinds of this topology. */
  abstract get policyKinds(): Iterable<AttachableKind>;

  /**
   * The issues of the resources, such as missing or unsupported targets and colliding names, by locator. Resources that are ignored because
   * their group is not declared, although their kind has the name of a policy kind, are one issue for each kind, with their number.
   */
  abstract get issues(): readonly Issue[];

  /** The references to targets that the topology does not hold. */
  abstract get unresolved(): readonly UnresolvedReference[];

  /**
   * The references that their targets do not admit, or that no ReferenceGrant permits: one entry for each target or section that is not linked.
   * References without any link are issues, too.
   */
  abstract get refused(): readonly RefusedReference[];

  /**
   * Returns the references of a target, each with its ends. References of its sections or object are left out.
   *
   * @returns One entry for each reference, in the order of the resource, including references without a link. Ends include ends of links
   * that relaying references do not keep, and of links that are dropped in cycles. O(references and their ends).
   */
  abstract referencesOf(target: TargetLike): readonly ResolvedReference[];

  /**
   * Returns the whole resources with references to a resource or its sections, by name or by selector, admitted or not.
   *
   * @param target The resource.
   * @returns The resources, in no order. O(references to the resource).
   */
  abstract referrersOf(target: TargetLike): Iterable<TargetNode>;

  /**
   * Returns the targets that refer to a section and that it admits, but does not keep, because others exclude them.
   *
   * @returns The targets, in no order. O(result).
   */
  abstract refusedRivals(section: TargetLike): Iterable<TargetNode>;

  /** Whether a link is undecided: {@link undecidedRefusal}. O(1). */
  abstract get hasUndecidedLinks(): boolean;

  /**
   * Returns why a section above may refuse a target that it links: a fact that decides is not known.
   *
   * @param above The section.
   * @param below The target.
   * @returns The refusal; `undefined` if the link is decided, or there is none. O(1).
   */
  abstract undecidedRefusal(above: TargetNode, below: TargetNode): Refusal | undefined;

  /** All targets in the order of locators, sections after their object. */
  abstract get targets(): Iterable<TargetNode>;

  /**
   * Returns the targets of some kinds, whole resources and sections, in the same order.
   *
   * @param kinds The kinds. Kinds that the topology does not have are ignored.
   */
  abstract targetsOf(kinds: Iterable<Targetable | GroupKind>): Iterable<TargetNode>;

  /** The targets that paths begin with: those without links to them, or to all of their sections. */
  abstract get roots(): readonly TargetNode[];

  /**
   * Returns the current version of a target.
   *
   * @param target A locator, a reference, or a node, which may be from before a change.
   * @returns The target; `undefined` if the topology does not hold it. O(1).
   * @throws {PolicyMachineryError} `invalid-locator` if the text is not a locator.
   */
  abstract get(target: TargetLike): TargetNode | undefined;

  /** Returns the targets one step above: those that link to a target, and the object of a section. */
  abstract parents(target: TargetLike): readonly TargetNode[];

  /** Returns the targets one step below: the sections of a target, and the targets that it links to. */
  abstract children(target: TargetLike): readonly TargetNode[];

  /** Returns all targets on paths down to a target, by locator. O(targets and links above). */
  abstract ancestors(target: TargetLike): readonly TargetNode[];

  /** Returns all targets on paths from a target, by locator. O(targets and links below). */
  abstract descendants(target: TargetLike): readonly TargetNode[];

  /**
   * Returns the paths from one target down to another. They are computed one by one, on demand.
   *
   * @param from The first target of the paths.
   * @param to The last target of the paths.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths; one if both targets are the same.
   * @throws {PolicyMachineryError} `too-many-paths`, when you ask for one path more than the limit.
   */
  abstract paths(from: TargetLike, to: TargetLike, options?: PathOptions): Iterable<Path>;

  /**
   * Returns all paths to a target, from all targets that paths begin with. They are computed one by one, on demand.
   *
   * @param to The last target of the paths.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths, each with the least specific target first.
   * @throws {PolicyMachineryError} `too-many-paths`, when you ask for one path more than the limit.
   */
  abstract pathsTo(to: TargetLike, options?: PathOptions): Iterable<Path>;

  /**
   * Returns a policy, attached to a target or not.
   *
   * @param policy The locator of the policy, or a reference to it.
   * @returns The policy; `undefined` if the topology does not hold it. O(1).
   * @throws {PolicyMachineryError} `invalid-locator` if the text is not a locator.
   */
  abstract policy(policy: ResourceRef | string): PolicyNode | undefined;

  /**
   * Returns the policies of the topology, attached to targets or not, by locator.
   *
   * @param kind The kind of the policies. Default: all kinds.
   */
  abstract policies(kind?: GroupKind): readonly PolicyNode[];

  /**
   * Returns the policies attached to a target. Policies of its sections, object or namespace are left out.
   *
   * @param kind The kind of the policies. Default: all kinds.
   */
  abstract policiesAt(target: TargetLike, kind?: GroupKind): readonly PolicyNode[];

  /**
   * All positions of paths, each after all positions that lead to it, for algorithms over all paths at once. Computed on first use after a
   * change. O(targets + links).
   */
  abstract get positions(): readonly Position[];
}
