import {
  formatGroupKind,
  formatLocator,
  type GroupKind,
  groupKindKey,
  type Issue,
  type KubernetesObject,
  PolicyMachineryError,
  parseLocator,
  type ResourceRef,
} from '@policy-machinery/resource';
import { apply } from './changes/apply.ts';
import type { ChangeRecord } from './changes/change-record.ts';
import { type CheckedChange, checkChange, invalidResources, type TopologyChange } from './changes/check-change.ts';
import { deltaOf, type TopologyDelta } from './changes/delta.ts';
import { deepIssues } from './changes/faulty-resources.ts';
import { readAllFields, readFieldsOf } from './changes/field-issues.ts';
import { referrersOf } from './changes/referrers.ts';
import { resolvedReferences } from './changes/renew-links.ts';
import { checkReplacement } from './changes/replacement.ts';
import { World } from './changes/topology-state.ts';
import type { RefusedReference, UnresolvedReference } from './model/dangling-references.ts';
import { Kinds, namespacePrefix } from './model/kinds.ts';
import { Listing, type RequiredKind } from './model/listing.ts';
import type { AttachableKind, PolicyNode } from './model/policy-node.ts';
import type { ResolvedReference } from './model/resolved-reference.ts';
import { isSectionKind, type Targetable, type TargetKind } from './model/target-kind.ts';
import { byPlace, locatorIn, type TargetNode } from './model/target-node.ts';
import { orderPositions } from './paths/order.ts';
import { type Path, type PathOptions, pathsBetween, pathsTo } from './paths/paths.ts';
import { type Position, rootPositions } from './paths/position.ts';
import { repeatable } from './paths/repeatable.ts';
import { ancestorsOf, childrenOf, descendantsOf, parentsOf } from './paths/traversal.ts';
import type { Target, WholeTarget } from './targets/target.ts';

/** The kinds that a topology knows, beside Namespaces and ReferenceGrants. Resources of other kinds are ignored. */
export interface TopologyOptions {
  readonly targetKinds: Iterable<TargetKind>;
  /** Default none. */
  readonly policyKinds?: Iterable<AttachableKind>;
}

/**
 * The graph of targets and of the policies that are attached to them.
 *
 * Made with {@link createTopology}. Every query answers from the resources as of the last successful {@link apply}. Targets are
 * given by node, reference or locator; a node that was got before a change means what now goes by its locator. Where there is
 * no such target, the answer is empty.
 */
export class Topology {
  #world: World;
  #listing: Listing;
  #positions: readonly Position[] | undefined;

  private constructor(world: World) {
    this.#world = world;
    this.#listing = new Listing(world.kinds);
  }

  /** @internal Use {@link createTopology}. */
  static make(options: TopologyOptions): Topology {
    const { targetKinds, policyKinds = [] } = options ?? {};
    return new Topology(new World(new Kinds(targetKinds, policyKinds)));
  }

  /**
   * Takes in a change: the only way in, for the first resource and for the millionth. The result does not depend on the
   * order of the resources. Objects are kept as they are, neither copied, changed nor frozen: do not change them later.
   *
   * @param change What is new, changed or gone. What is both removed and upserted is upserted.
   * @returns Which targets and policies have come, gone, or changed their resource, links or attachments.
   * @throws {PolicyMachineryError} Leaving everything as it was: `invalid-resources` for values that are no Kubernetes
   * objects or on which something fails since they are no JSON, lists that are none, resources that come twice, and what is to be removed by no locator of a whole resource; `loop` when links lead back to where they came from, naming the loop.
   * @throws Leaving everything as it was, too: what a kind's functions throw where nothing catches it. O(resources) then.
   */
  apply(change: TopologyChange): TopologyDelta {
    return this.#take(checkChange(change, this.#world));
  }

  /**
   * Takes in a complete list of the resources of a kind, in place of those that are there, and remembers that the kind is listed:
   * from the first call on, kinds without a list are among the {@link unlistedKinds}, and statuses that rest on them are not planned.
   * Events of watches that begin with the list are for {@link apply}.
   *
   * @param kind One of the kinds of this topology.
   * @param list All its resources. None where the API server does not know the kind.
   * @returns What has come, gone or changed, as from {@link apply}. O(resources).
   * @throws {PolicyMachineryError} As {@link apply}, leaving everything as it was; `invalid-resources` also for resources of other
   * kinds; `unknown-kind`, when the topology does not know the kind.
   * @example
   * ```ts
   * for (const kind of topology.requiredKinds) topology.replace(kind, await listAll(kind));
   * ```
   */
  replace(kind: GroupKind, list: Iterable<KubernetesObject>): TopologyDelta {
    const known = this.#world.kinds.get(kind);
    if (known === undefined) {
      const message = `The topology does not know ${formatGroupKind(kind)}; pass one of its requiredKinds`;
      throw new PolicyMachineryError('unknown-kind', message);
    }
    const delta = this.#take(checkReplacement(kind, known, list, this.#world));
    this.#listing.add(kind);
    return delta;
  }

  #take(checked: CheckedChange): TopologyDelta {
    const world = this.#world;
    this.#positions = undefined;
    try {
      const record = apply(world, checked.resources);
      world.strangers.change(checked.removed, checked.strangers);
      return deltaOf(world, record, checked.ignored);
    } catch (error) {
      if (error instanceof PolicyMachineryError && error.code === 'loop') throw error;
      this.#world = remade(world);
      const issues = deepIssues(checked.upserted);
      throw issues.length === 0 ? error : invalidResources(issues, error);
    }
  }

  /**
   * The topology as a change would make it. This one stays as it is.
   *
   * @param change As for {@link apply}.
   * @returns The other topology, and what is different in it. O(resources).
   * @throws {PolicyMachineryError} As {@link apply}.
   */
  with(change: TopologyChange): { readonly topology: Topology; readonly delta: TopologyDelta } {
    const { kinds, given, strangers } = this.#world;
    const topology = Topology.make({ targetKinds: kinds.targets.values(), policyKinds: kinds.policies.values() });
    topology.apply({ upsert: given.values() });
    topology.#listing = this.#listing.copy();
    topology.#world.strangers.change([], strangers.all);
    return { topology, delta: topology.apply(change) };
  }

  /** How many changes there have been, for views to know whether they are up to date. */
  get version(): number {
    return this.#world.version;
  }

  /**
   * What has changed since an earlier version, for views that follow the topology.
   *
   * @param since The `version` as it was then.
   * @returns One record for each change, the oldest first; `undefined` when so much has changed that it is not kept, and the view
   * must start afresh.
   */
  changesSince(since: number): readonly ChangeRecord[] | undefined {
    return this.#world.log.since(since, this.#world.version);
  }

  /**
   * The issues about one resource, in the same order as among {@link issues}. O(what it returns).
   *
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  issuesAbout(resource: ResourceRef | string): readonly Issue[] {
    const locator = typeof resource === 'string' ? resource : formatLocator(resource);
    readFieldsOf(this.#world, locator);
    const issues = this.#world.issues.about(locator);
    if (issues.length === 0 && typeof resource === 'string') parseLocator(resource);
    return issues;
  }

  /** The whole resources in a namespace, in no order. O(1). */
  membersOf(namespace: TargetNode): Iterable<TargetNode> {
    const { homes } = this.#world;
    return namespace.locator.startsWith(namespacePrefix) ? repeatable(() => homes.membersOf(namespace.ref.name)) : [];
  }

  /** Whether paths may lead from targets of one kind down to those of another, or both are the same. */
  leadsTo(above: TargetKind, beneath: TargetKind): boolean {
    const { kindLinks, kinds } = this.#world;
    const [from, to] = [kinds.get(above)?.target, kinds.get(beneath)?.target];
    return from !== undefined && to !== undefined && (from === to || kindLinks.leadsTo(from, to));
  }

  /**
   * The kinds whose resources a topology has to be given, as clients ask an API server for them: kinds of targets, of policies, Namespaces
   * and ReferenceGrants. No virtual kinds.
   */
  get requiredKinds(): readonly RequiredKind[] {
    return this.#listing.required;
  }

  /**
   * The {@link requiredKinds} that have not been listed with {@link replace}. None as long as nothing has been: a topology that is only
   * given changes, by `apply`, counts as complete.
   */
  get unlistedKinds(): readonly RequiredKind[] {
    return this.#listing.missing;
  }

  /**
   * Those of the {@link unlistedKinds} on which it depends what becomes of the policies of a kind: that kind, and whatever is no other
   * kind of policies.
   *
   * @param policyKind The kind of the policies.
   */
  unlistedFor(policyKind: GroupKind): readonly RequiredKind[] {
    return this.#listing.missingFor(policyKind);
  }

  /** The target kinds that this topology knows. */
  get targetKinds(): Iterable<TargetKind> {
    return this.#world.kinds.targets.values();
  }

  /** The policy kinds that this topology attaches. */
  get policyKinds(): Iterable<AttachableKind> {
    return this.#world.kinds.policies.values();
  }

  /**
   * What is wrong with the resources: targets that are missing or unsupported, names that collide … By locator. Ignored resources of a group
   * that is not declared, but with the name of a policy kind, are one issue for each kind, which counts them.
   */
  get issues(): readonly Issue[] {
    readAllFields(this.#world);
    return this.#world.issues.all;
  }

  /** References between resources that lead nowhere yet. */
  get unresolved(): readonly UnresolvedReference[] {
    return this.#vain.flatMap(({ unresolved }) => unresolved);
  }

  /**
   * References that what they mean does not admit, or that no ReferenceGrant permits: one entry for each target or section
   * that is not linked. Those of them that lead nowhere at all are issues too.
   */
  get refused(): readonly RefusedReference[] {
    return [...this.#vain.flatMap(({ refused }) => refused), ...this.#world.loops.refused];
  }

  /**
   * What has become of each reference that a target holds itself: not of those of its sections or object.
   *
   * @param target The target.
   * @returns One for each reference, in the order of the resource, also for those that make no link. What relaying references must
   * not lead to, and what gives way in loops, is among their ends. O(references and what they mean).
   */
  referencesOf(target: TargetNode | ResourceRef | string): readonly ResolvedReference[] {
    return this.#from(target, (node) => resolvedReferences(this.#world, node as Target));
  }

  /**
   * The whole resources that hold references to a resource or to sections of it, or select it, whether or not these are admitted.
   *
   * @param target The resource.
   * @returns The resources, in no order. O(references to it).
   */
  referrersOf(target: TargetNode | ResourceRef | string): Iterable<TargetNode> {
    return this.#from(target, ({ object }) => referrersOf(this.#world, object as WholeTarget));
  }

  /** Every target in the order of locators, sections after their object. */
  get targets(): Iterable<TargetNode> {
    const { homes } = this.#world;
    return repeatable(() => withSections(homes.of()));
  }

  /**
   * The targets of some kinds, whole resources and sections, in the same order.
   *
   * @param kinds The kinds; those that the topology does not know are passed over.
   */
  targetsOf(kinds: Iterable<Targetable | GroupKind>): Iterable<TargetNode> {
    const { homes } = this.#world;
    const wanted = new Set(Array.from(kinds, (kind) => this.#known(kind)));
    const owners = [...wanted].flatMap((kind) => (kind === undefined ? [] : isSectionKind(kind) ? kind.of : kind));
    return repeatable(() => ofKinds(homes.of(owners), wanted));
  }

  /** The targets that paths begin with: no link leads to them, and not to each of their sections. */
  get roots(): readonly TargetNode[] {
    return [...new Set([...rootPositions(this.targets)].map(({ node }) => node.object))];
  }

  /**
   * The target of a name, as it is now.
   *
   * @param target Locator or reference, or a node, maybe of before a change.
   * @returns The target, or `undefined` when the topology does not hold it. O(1).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  get(target: TargetNode | ResourceRef | string): TargetNode | undefined {
    const node = this.#world.target(locatorIn(target));
    if (node === undefined && typeof target === 'string') parseLocator(target); // A slip must not pass for absence.
    return node;
  }

  /** One step up from a target: where links come from, and the object of a section. */
  parents(target: TargetNode | ResourceRef | string): readonly TargetNode[] {
    return this.#from(target, parentsOf);
  }

  /** One step down from a target: its sections, and where its links lead. */
  children(target: TargetNode | ResourceRef | string): readonly TargetNode[] {
    return this.#from(target, childrenOf);
  }

  /** Every target on a path down to this one, by locator. O(targets and links above). */
  ancestors(target: TargetNode | ResourceRef | string): readonly TargetNode[] {
    return this.#from(target, ancestorsOf);
  }

  /** Every target on a path from this one, by locator. O(targets and links beneath). */
  descendants(target: TargetNode | ResourceRef | string): readonly TargetNode[] {
    return this.#from(target, descendantsOf);
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
  paths(
    from: TargetNode | ResourceRef | string,
    to: TargetNode | ResourceRef | string,
    options?: PathOptions,
  ): Iterable<Path> {
    const [start, end] = [this.get(from), this.get(to)];
    return start === undefined || end === undefined ? [] : pathsBetween(start, end, options);
  }

  /**
   * All paths to a target, from wherever they begin; made one by one as they are asked for.
   *
   * @param to Where the paths end.
   * @param options The limit. Default 10,000 paths.
   * @returns The paths, least specific target first.
   * @throws {PolicyMachineryError} `too-many-paths`, on asking for one more than the limit.
   */
  pathsTo(to: TargetNode | ResourceRef | string, options?: PathOptions): Iterable<Path> {
    return this.#from(to, (end) => pathsTo(end, options));
  }

  /**
   * The policy of a name, whether it is attached to anything or not.
   *
   * @param policy Locator or reference.
   * @returns The policy, or `undefined` when the topology does not hold it. O(1).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  policy(policy: ResourceRef | string): PolicyNode | undefined {
    const known = this.#world.policies.get(typeof policy === 'string' ? policy : formatLocator(policy));
    if (known === undefined && typeof policy === 'string') parseLocator(policy);
    return known?.node;
  }

  /**
   * The policies of the topology, by locator, whether they are attached to anything or not.
   *
   * @param kind Only those of this kind. Default: all.
   */
  policies(kind?: GroupKind): readonly PolicyNode[] {
    const { policiesByKind, kinds } = this.#world;
    const known = kind === undefined ? undefined : kinds.policyKind(kind);
    if (kind !== undefined && known === undefined) return [];
    return Array.from(policiesByKind.of(known && [known]), ({ node }) => node);
  }

  /**
   * The policies attached to a target itself: not those of its sections, object or namespace.
   *
   * @param target The target.
   * @param kind Only those of this kind. Default: all.
   */
  policiesAt(target: TargetNode | ResourceRef | string, kind?: GroupKind): readonly PolicyNode[] {
    return ofKind(
      this.#from(target, (node) => this.#world.attached.get(node as Target) ?? []),
      kind,
    );
  }

  /**
   * Every position that a path can be at, each after all that lead to it: for walking all paths at once. Made on first use
   * after a change. O(targets + links).
   */
  get positions(): readonly Position[] {
    this.#positions ??= orderPositions(this.targets);
    return this.#positions;
  }

  /** What follows from a target as it is now. */
  #from<List extends Iterable<unknown>>(
    target: TargetNode | ResourceRef | string,
    follow: (node: TargetNode) => List,
  ): List | readonly never[] {
    const node = this.get(target);
    return node === undefined ? [] : follow(node);
  }

  /** A kind of target as this topology knows it: someone else's value may stand for it. */
  #known(kind: Targetable | GroupKind): Targetable | undefined {
    const owner = this.#world.kinds.get(isSectionKind(kind) ? kind.of : kind)?.target;
    return isSectionKind(kind) ? owner?.sections[kind.section] : owner;
  }

  /** The references that lead nowhere, in the order of those who hold them. */
  get #vain() {
    const { vain, relays } = this.#world;
    const ofRelays = [...relays].flatMap(([holder, it]) => (it.vain === undefined ? [] : [[holder, it.vain] as const]));
    const holders = [...vain, ...ofRelays].sort(([a], [b]) => byPlace(a, b));
    return holders.map(([, references]) => references);
  }
}

/** A world of the same resources, for which views start afresh. */
function remade({ kinds, given, version, strangers }: World): World {
  const world = new World(kinds);
  world.strangers.change([], strangers.all);
  world.version = version;
  apply(world, checkChange({ upsert: given.values() }, world).resources);
  return world;
}

function* withSections(objects: Iterable<Target>): Iterator<Target> {
  for (const object of objects) {
    yield object;
    yield* object.sections;
  }
}

function* ofKinds(objects: Iterable<Target>, kinds: ReadonlySet<Targetable | undefined>): Iterator<Target> {
  for (const object of objects) {
    if (kinds.has(object.kind)) yield object;
    for (const section of object.sections) if (kinds.has(section.kind)) yield section;
  }
}

/**
 * Creates an empty topology.
 *
 * @param options The kinds that it knows.
 * @returns The topology; fill it with `apply`.
 * @throws {PolicyMachineryError} `invalid-kinds`, when something else than kinds is given; `duplicate-kind`, when a kind is given twice; `unknown-kind`, when a policy kind names a kind of
 * target, declared or effective, that `targetKinds` lacks; `unreachable-target`, when no target of a policy kind can lead to one of its
 * effective targets, or one of them can lead to none.
 * @example
 * ```ts
 * const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [RateLimitPolicy] });
 * topology.apply({ upsert: resources });
 * ```
 */
export function createTopology(options: TopologyOptions): Topology {
  return Topology.make(options);
}

function ofKind(policies: readonly PolicyNode[], kind: GroupKind | undefined): readonly PolicyNode[] {
  if (kind === undefined || policies.length === 0) return policies;
  const key = groupKindKey(kind);
  return policies.filter((policy) => groupKindKey(policy.kind) === key);
}
