import {
  formatLocator,
  type GroupKind,
  groupKindKey,
  type Issue,
  parseLocator,
  type ResourceRef,
} from '@policy-machinery/resource';
import { readAllFields, readFieldsOf } from './changes/field-issues.ts';
import { referrersOf } from './changes/referrers.ts';
import { resolvedReferences } from './changes/renew-links.ts';
import type { TopologyState } from './changes/topology-state.ts';
import type { TopologyStore } from './changes/topology-store.ts';
import type { ChangeRecord } from './model/change-record.ts';
import { namespacePrefix } from './model/kinds.ts';
import type { Path, PathOptions, Position } from './model/path.ts';
import type { AttachableKind, PolicyNode } from './model/policy-node.ts';
import type { Refusal } from './model/reference.ts';
import type { RequiredKind } from './model/required-kind.ts';
import type { RefusedReference, ResolvedReference, UnresolvedReference } from './model/resolved-reference.ts';
import { isSectionKind, type Targetable, type TargetKind } from './model/target-kind.ts';
import { byLocator, byTopologyOrder, locatorOfTarget, type TargetLike, type TargetNode } from './model/target-node.ts';
import { Topology } from './model/topology.ts';
import { orderPositions } from './paths/order.ts';
import { pathsBetween, pathsTo } from './paths/paths.ts';
import { rootPositions } from './paths/position.ts';
import { repeatable } from './paths/repeatable.ts';
import { ancestorsOf, childrenOf, descendantsOf, parentsOf } from './paths/traversal.ts';
import type { Target, WholeTarget } from './targets/target.ts';

/** Answers all questions about a topology from the current state of its store. */
export abstract class TopologyQueries extends Topology {
  readonly #store: TopologyStore;
  #positions: readonly Position[] | undefined;
  /** The version of the positions. */
  #positionsOf = -1;

  constructor(store: TopologyStore) {
    super();
    this.#store = store;
  }

  get #state(): TopologyState {
    return this.#store.state;
  }

  get version(): number {
    return this.#state.version;
  }

  changesSince(since: number): readonly ChangeRecord[] | undefined {
    return this.#state.log.since(since, this.#state.version);
  }

  issuesAbout(resource: ResourceRef | string): readonly Issue[] {
    const locator = typeof resource === 'string' ? resource : formatLocator(resource);
    readFieldsOf(this.#state, locator);
    const issues = this.#state.issues.about(locator);
    if (issues.length === 0 && typeof resource === 'string') parseLocator(resource);
    return issues;
  }

  membersOf(container: TargetNode): Iterable<TargetNode> {
    const { namespaces, memberships } = this.#state;
    return container.locator.startsWith(namespacePrefix)
      ? repeatable(() => namespaces.membersOf(container.ref.name))
      : memberships.of(container.locator);
  }

  leadsTo(above: TargetKind, below: TargetKind): boolean {
    const { kindLinks, kinds } = this.#state;
    const [from, to] = [kinds.get(above)?.target, kinds.get(below)?.target];
    return from !== undefined && to !== undefined && (from === to || kindLinks.leadsTo(from, to));
  }

  isComplete(kind: GroupKind, namespace?: string, name?: string): boolean {
    return this.#state.kinds.isComplete(kind, namespace, name);
  }

  get requiredKinds(): readonly RequiredKind[] {
    return this.#store.listing.required;
  }

  get unlistedKinds(): readonly RequiredKind[] {
    return this.#store.listing.missing;
  }

  unlistedFor(policyKind: GroupKind): readonly RequiredKind[] {
    return this.#store.listing.missingFor(policyKind);
  }

  get targetKinds(): Iterable<TargetKind> {
    return this.#state.kinds.targets.values();
  }

  get policyKinds(): Iterable<AttachableKind> {
    return this.#state.kinds.policies.values();
  }

  get issues(): readonly Issue[] {
    readAllFields(this.#state);
    return this.#state.issues.all;
  }

  get unresolved(): readonly UnresolvedReference[] {
    return this.#dangling.flatMap(([from, { reference, missing, isUndecided }]) =>
      missing === undefined ? [] : [{ from, reference, missing, isUndecided }],
    );
  }

  get refused(): readonly RefusedReference[] {
    const refused = this.#dangling.flatMap(([from, { reference, refusals }]) =>
      refusals.map((refusal) => ({ from, reference, ...refusal })),
    );
    return [...refused, ...this.#state.cycles.refused];
  }

  referencesOf(target: TargetLike): readonly ResolvedReference[] {
    return this.#from(target, (node) => resolvedReferences(this.#state, node as Target));
  }

  referrersOf(target: TargetLike): Iterable<TargetNode> {
    return this.#from(target, ({ object }) => referrersOf(this.#state, object as WholeTarget));
  }

  refusedRivals(section: TargetLike): Iterable<TargetNode> {
    return this.#from(section, (node) => this.#state.contests.get(node as Target)?.refused.keys() ?? []);
  }

  get hasUndecidedLinks(): boolean {
    return this.#state.undecidedSections > 0;
  }

  undecidedRefusal(above: TargetNode, below: TargetNode): Refusal | undefined {
    if (!this.hasUndecidedLinks) return undefined;
    return this.#state.contests.get(above as Target)?.undecided.get(below as Target);
  }

  get targets(): Iterable<TargetNode> {
    const { namespaces } = this.#state;
    return repeatable(() => withSections(namespaces.of()));
  }

  targetsOf(kinds: Iterable<Targetable | GroupKind>): Iterable<TargetNode> {
    const { namespaces } = this.#state;
    const wanted = new Set(Array.from(kinds, (kind) => this.#known(kind)));
    const owners = [...wanted].flatMap((kind) => (kind === undefined ? [] : isSectionKind(kind) ? kind.of : kind));
    return repeatable(() => ofKinds(namespaces.of(owners), wanted));
  }

  get roots(): readonly TargetNode[] {
    return [...new Set([...rootPositions(this.targets)].map(({ node }) => node.object))];
  }

  get(target: TargetLike): TargetNode | undefined {
    const node = this.#state.target(locatorOfTarget(target));
    if (node === undefined && typeof target === 'string') parseLocator(target); // A malformed locator must not pass for a missing target.
    return node;
  }

  parents(target: TargetLike): readonly TargetNode[] {
    return this.#from(target, parentsOf);
  }

  children(target: TargetLike): readonly TargetNode[] {
    return this.#from(target, childrenOf);
  }

  ancestors(target: TargetLike): readonly TargetNode[] {
    return this.#from(target, ancestorsOf);
  }

  descendants(target: TargetLike): readonly TargetNode[] {
    return this.#from(target, descendantsOf);
  }

  paths(from: TargetLike, to: TargetLike, options?: PathOptions): Iterable<Path> {
    const [start, end] = [this.get(from), this.get(to)];
    return start === undefined || end === undefined ? [] : pathsBetween(start, end, options);
  }

  pathsTo(to: TargetLike, options?: PathOptions): Iterable<Path> {
    return this.#from(to, (end) => pathsTo(end, options));
  }

  policy(policy: ResourceRef | string): PolicyNode | undefined {
    const node = this.#state.policies.get(typeof policy === 'string' ? policy : formatLocator(policy));
    if (node === undefined && typeof policy === 'string') parseLocator(policy);
    return node?.node;
  }

  policies(kind?: GroupKind): readonly PolicyNode[] {
    const { policies, policiesByKind } = this.#state;
    if (kind === undefined) return Array.from(policies.values(), ({ node }) => node).sort(byLocator);
    return policiesByKind.get(groupKindKey(kind))?.inOrder.map(({ node }) => node) ?? [];
  }

  policiesAt(target: TargetLike, kind?: GroupKind): readonly PolicyNode[] {
    return ofKind(
      this.#from(target, (node) => this.#state.attached.get(node as Target) ?? []),
      kind,
    );
  }

  get positions(): readonly Position[] {
    if (this.#positions === undefined || this.#positionsOf !== this.version) {
      this.#positions = orderPositions(this.targets);
      this.#positionsOf = this.version;
    }
    return this.#positions;
  }

  /** Answers that are kept for each target until it changes. */
  #from<List extends Iterable<unknown>>(
    target: TargetLike,
    follow: (node: TargetNode) => List,
  ): List | readonly never[] {
    const node = this.get(target);
    return node === undefined ? [] : follow(node);
  }

  /** Returns this topology's value of a kind of target, which may be another value of the same group and kind. */
  #known(kind: Targetable | GroupKind): Targetable | undefined {
    const owner = this.#state.kinds.get(isSectionKind(kind) ? kind.of : kind)?.target;
    return isSectionKind(kind) ? owner?.sections[kind.section] : owner;
  }

  /** The dangling references with the targets that hold them, in the order of these. */
  get #dangling() {
    const { links, relays } = this.#state.dangling;
    const holders = [...links, ...relays].sort(([a], [b]) => byTopologyOrder(a, b));
    return holders.flatMap(([from, references]) => references.map((reference) => [from, reference] as const));
  }
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

function ofKind(policies: readonly PolicyNode[], kind: GroupKind | undefined): readonly PolicyNode[] {
  if (kind === undefined || policies.length === 0) return policies;
  const key = groupKindKey(kind);
  return policies.filter((policy) => groupKindKey(policy.kind) === key);
}
