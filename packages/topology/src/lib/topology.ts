import {
  formatLocator,
  type GroupKind,
  groupKindKey,
  type Issue,
  type ResourceRef,
  type Scope,
} from '@policy-machinery/resource';
import type { DirectedGraph } from 'graphology';
import type { AttachableKind, PolicyNode } from './attachment.ts';
import { build } from './build.ts';
import { checkChange, type TopologyChange } from './change.ts';
import { deltaBetween, type TopologyDelta } from './delta.ts';
import { type EdgeAttributes, graphOf, type NodeAttributes } from './graph.ts';
import { indexKinds, type Kinds, kindIn } from './kinds.ts';
import { type Path, type PathOptions, pathsBetween, pathsTo } from './paths.ts';
import { type Position, rootPositions } from './position.ts';
import type { Snapshot, UnresolvedReference } from './snapshot.ts';
import type { TargetKind } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';
import { ancestorsOf, childrenOf, descendantsOf, parentsOf } from './traversal.ts';

/** The kinds that a topology knows. Resources of other kinds are ignored. */
export interface TopologyOptions {
  readonly targetKinds: Iterable<TargetKind>;
  /** Default none. */
  readonly policyKinds?: Iterable<AttachableKind>;
}

/**
 * The graph of targets and of the policies that are attached to them.
 *
 * Made with {@link createTopology}. Every query answers from the resources as of the last successful {@link apply}.
 */
export class Topology {
  readonly #kinds: Kinds;
  #snapshot: Snapshot;
  #graph: DirectedGraph<NodeAttributes, EdgeAttributes> | undefined;

  /** @private Use {@link createTopology}. */
  constructor(options: TopologyOptions) {
    this.#kinds = { targets: indexKinds(options.targetKinds), policies: indexKinds(options.policyKinds ?? []) };
    this.#snapshot = build(new Map(), this.#kinds);
  }

  /**
   * Takes in a change: the only way in, for the first resource and for the millionth. The result does not depend on the
   * order of the resources. Objects are kept as they are, neither copied, changed nor frozen: do not change them later.
   *
   * @param change What is new, changed or gone. What is both removed and upserted is upserted.
   * @returns Which targets and policies have come, gone, or changed their resource, links or attachments.
   * @throws {PolicyMachineryError} Leaving everything as it was: `invalid-resources` for values that are no Kubernetes
   * objects and for resources that come twice; `loop` when links lead back to where they came from, naming the loop.
   */
  apply(change: TopologyChange): TopologyDelta {
    const { upserts, removals, ignored } = checkChange(change, (kind) => this.#scopeOf(kind));
    const resources = new Map(this.#snapshot.resources);
    for (const locator of removals) resources.delete(locator);
    for (const [locator, resource] of upserts) resources.set(locator, resource);

    const before = this.#snapshot;
    this.#snapshot = build(resources, this.#kinds);
    this.#graph = undefined;
    return deltaBetween(before, this.#snapshot, ignored);
  }

  /** The policy kinds that this topology attaches. */
  get policyKinds(): Iterable<AttachableKind> {
    return this.#kinds.policies.values();
  }

  /** What is wrong with the resources: targets that are missing or unsupported, names that collide … By locator. */
  get issues(): readonly Issue[] {
    return this.#snapshot.issues;
  }

  /** References between resources that lead nowhere yet. */
  get unresolved(): readonly UnresolvedReference[] {
    return this.#snapshot.unresolved;
  }

  /** Every target in the order of locators, sections after their object. */
  get targets(): Iterable<TargetNode> {
    return this.#snapshot.targets.values();
  }

  /** The targets that paths begin with: no link leads to them, and not to each of their sections. */
  get roots(): readonly TargetNode[] {
    return [...new Set([...rootPositions(this.targets)].map(({ node }) => node.object))];
  }

  /**
   * The target of a name.
   *
   * @param target Locator or reference.
   * @returns The target, or `undefined` when the topology does not hold it. O(1).
   */
  get(target: string | ResourceRef): TargetNode | undefined {
    return this.#snapshot.targets.get(typeof target === 'string' ? target : formatLocator(target));
  }

  /** One step up from a target: where links come from, and the object of a section. */
  parents(target: TargetNode): readonly TargetNode[] {
    return parentsOf(target);
  }

  /** One step down from a target: its sections, and where its links lead. */
  children(target: TargetNode): readonly TargetNode[] {
    return childrenOf(target);
  }

  /** Every target on a path down to this one, by locator. O(targets and links above). */
  ancestors(target: TargetNode): readonly TargetNode[] {
    return ancestorsOf(target);
  }

  /** Every target on a path from this one, by locator. O(targets and links beneath). */
  descendants(target: TargetNode): readonly TargetNode[] {
    return descendantsOf(target);
  }

  /**
   * The paths from one target down to another, made one by one as they are asked for.
   *
   * @param from Where the paths begin.
   * @param to Where they end.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths; one when both targets are the same.
   * @throws {PolicyMachineryError} `too-many-paths`, on asking for one more than the limit.
   */
  paths(from: TargetNode, to: TargetNode, options?: PathOptions): Iterable<Path> {
    return pathsBetween(from, to, options);
  }

  /**
   * All paths to a target, from wherever they begin; made one by one as they are asked for.
   *
   * @param to Where the paths end.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths, least specific target first.
   * @throws {PolicyMachineryError} `too-many-paths`, on asking for one more than the limit.
   */
  pathsTo(to: TargetNode, options?: PathOptions): Iterable<Path> {
    return pathsTo(this.#snapshot.targets, to, options);
  }

  /**
   * The policies of the topology, by locator, whether they are attached to anything or not.
   *
   * @param kind Only those of this kind. Default: all.
   */
  policies(kind?: GroupKind): readonly PolicyNode[] {
    return ofKind([...this.#snapshot.policies.values()], kind);
  }

  /**
   * The policies attached to a target itself: not those of its sections, object or namespace.
   *
   * @param target A target of this topology.
   * @param kind Only those of this kind. Default: all.
   */
  policiesAt(target: TargetNode, kind?: GroupKind): readonly PolicyNode[] {
    return ofKind(this.#snapshot.attached.get(target) ?? [], kind);
  }

  /** Every position that a path can be at, each after all that lead to it: for walking all paths at once. */
  get positions(): readonly Position[] {
    return this.#snapshot.order;
  }

  /**
   * Targets, links, containment and attachments as a graphology graph, the way to that ecosystem. Nodes are keyed by
   * locator. It is a copy, made on first use after a change: changing it changes nothing here. O(targets + links).
   */
  get graph(): DirectedGraph<NodeAttributes, EdgeAttributes> {
    this.#graph ??= graphOf(this.#snapshot);
    return this.#graph;
  }

  #scopeOf(kind: GroupKind): Scope | undefined {
    return (kindIn(this.#kinds.targets, kind) ?? kindIn(this.#kinds.policies, kind))?.scope;
  }
}

/**
 * Creates an empty topology.
 *
 * @param options The kinds that it knows.
 * @returns The topology; fill it with `apply`.
 * @example
 * ```ts
 * const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [RateLimitPolicy] });
 * topology.apply({ upsert: resources });
 * ```
 */
export function createTopology(options: TopologyOptions): Topology {
  return new Topology(options);
}

function ofKind(policies: readonly PolicyNode[], kind: GroupKind | undefined): readonly PolicyNode[] {
  if (kind === undefined) return policies;
  const key = groupKindKey(kind);
  return policies.filter((policy) => groupKindKey(policy.kind) === key);
}
