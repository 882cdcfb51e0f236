import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import {
  formatGroupKind,
  formatLocator,
  type Issue,
  PolicyMachineryError,
  parseLocator,
  parsePointer,
  type ResourceRef,
} from '@policy-machinery/resource';
import type { Path, TargetNode, Topology } from '@policy-machinery/topology';
import type { AffectedTarget } from './answers/affected.ts';
import { type Context, EffectivePolicy } from './answers/effective-policy.ts';
import { type Explanation, explainedIn } from './answers/explain.ts';
import { issuesOf } from './answers/issues.ts';
import { type PolicyScope, scopesOf } from './answers/reach.ts';
import { groupOnTarget, type ScopeGroup } from './answers/scopes.ts';
import type { ViewOptions } from './answers/view-state.ts';
import type { ContextAt } from './contexts/contexts.ts';
import { contextsThrough, contextsWith } from './contexts/through.ts';
import type { ComputeOptions, EffectivePoliciesOptions } from './effective-policies-options.ts';
import { type EffectiveChanges, type EffectiveDelta, GatheredChanges } from './follow/effective-delta.ts';
import { LiveState } from './follow/live-state.ts';
import type { DeclaredPolicy } from './levels/declared-policy.ts';
import { type JudgePolicy, Verdicts } from './levels/verdict.ts';
import type { ScopeOutcome } from './reasons/policy-share.ts';
import { emptySet } from './support/empty-set.ts';

/**
 * The effective policies of one kind: what applies to each effective target in each context. They follow their topology: every
 * answer is as of the last change. Iterating goes through the targets in the order of their locators.
 */
export class EffectivePolicies<Spec> implements Iterable<EffectivePolicy<Spec>> {
  readonly topology: Topology;
  readonly kind: PolicyKind<Spec>;
  readonly #options: ViewOptions;
  readonly #live: LiveState<Spec>;
  readonly #byTraffic = new Map<string, EffectivePolicies<Spec>>();
  readonly #readers: GatheredChanges[] = [];
  /** The policies of which the controller was asked again, each with the number of the last time. */
  readonly #reconsidered = new Map<string, number>();
  #reconsiderations = 0;
  /** What `takeChanges` takes from. */
  readonly #refreshed: EffectiveChanges;

  private constructor(topology: Topology, kind: PolicyKind<Spec>, options: ViewOptions, elsewhere?: LiveState<Spec>) {
    if (![...topology.policyKinds].includes(kind)) {
      const message = `The topology does not know this ${formatGroupKind(kind)}; give createTopology the very same value in policyKinds`;
      throw new PolicyMachineryError('unknown-kind', message);
    }
    this.topology = topology;
    this.kind = kind;
    this.#options = options;
    this.#live = new LiveState(topology, kind, options, elsewhere);
    this.#refreshed = this.changes();
  }

  /** @internal Use {@link effectivePolicies}. */
  static make<Spec>(topology: Topology, kind: PolicyKind<Spec>, options: ViewOptions): EffectivePolicies<Spec> {
    return new EffectivePolicies(topology, kind, options);
  }

  /**
   * Makes a reader of changes: all else follows the topology without being told to; but who writes statuses wants to know where to
   * look. Each reader has a place of its own, so that several can read the same changes. It keeps the locators of what it has not
   * taken for as long as these effective policies live, so make one for each purpose and not one for each question. What has come and gone
   * before it was taken is left out.
   *
   * @returns The reader, which begins with the changes from now on. O(what has changed since anything was asked).
   * @example
   * ```ts
   * const changes = effective.changes();
   * topology.apply(change);
   * changes.take().targets; // those that the change has touched
   * changes.take().targets; // none: they have been taken
   * ```
   */
  changes(): EffectiveChanges {
    const reader = new GatheredChanges();
    this.#tell(reader);
    const { group, kind } = this.kind;
    return {
      take: () => {
        this.#followAll();
        return { kind: { group, kind }, ...reader.take() };
      },
    };
  }

  /**
   * Takes what has changed since the last call, or since these effective policies were made. There is one such place, for all who call
   * this: where there are several, make a reader for each with {@link changes}.
   *
   * @returns The changes; for traffic from all namespaces that were asked for. O(what has changed, and what is below that).
   */
  takeChanges(): EffectiveDelta {
    return this.#refreshed.take();
  }

  /** Tells a reader of all changes from now on, for traffic from all namespaces. */
  #tell(reader: GatheredChanges): void {
    this.#readers.push(reader);
    this.#live.tell(reader);
    for (const effective of this.#byTraffic.values()) effective.#tell(reader);
  }

  /** Brings all that is known up to date, so that readers have been told. */
  #followAll(): void {
    this.#live.follow();
    for (const [namespace, effective] of this.#byTraffic) {
      effective.#followAll();
      if (effective.isLikeAnyOther) this.#byTraffic.delete(namespace); // Namespaces come and go.
    }
  }

  /**
   * Asks the controller's `verdict` again about some policies, when something that it depends on has changed: a Secret has come. All
   * answers follow, as if the policies had been edited, and {@link takeChanges} names these policies.
   *
   * @param policies Locators of the policies, or references to them; those that are gone are ignored. Default: all of this kind.
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  reconsider(policies?: Iterable<ResourceRef | string>): void {
    const all = (): readonly string[] => this.topology.policies(this.kind).map(({ locator }) => locator);
    const locators = policies === undefined ? all() : Array.from(policies, locatorIn);
    for (const locator of locators) {
      const node = this.topology.policy(locator);
      if (node !== undefined) this.#options.verdicts.forget(node.resource);
      else parseLocator(locator); // A slip must not pass for absence.
    }
    this.#reconsider(locators);
  }

  #reconsider(locators: readonly string[]): void {
    this.#reconsiderations += 1;
    for (const locator of locators) this.#reconsidered.set(locator, this.#reconsiderations);
    this.#live.reconsider(locators);
    for (const effective of this.#byTraffic.values()) effective.#reconsider(locators);
  }

  /**
   * @internal Follows {@link reconsider} of other effective policies with the same verdicts.
   * @param since The number of the last time that has been followed.
   * @returns The number of the last time.
   */
  followReconsidered(other: EffectivePolicies<Spec>, since: number): number {
    if (other.#reconsiderations > since) {
      this.#reconsider([...other.#reconsidered].flatMap(([locator, time]) => (time > since ? [locator] : [])));
    }
    return other.#reconsiderations;
  }

  /** @internal Whether no policy counts for this traffic that does not count for all. */
  get isLikeAnyOther(): boolean {
    return !this.#live.follow().levels.hasConsumers;
  }

  /**
   * Computes what plans and reports ask of all targets: contexts, what becomes of policies there, and the specs that result. Everything is
   * computed when it is first asked for, so this makes no answer different; but the first question about all targets of a large cluster blocks
   * the event loop for a long time, and this computes a few targets for each value that you ask for.
   *
   * You can change the topology in between: what has been computed follows, and the rest is computed as things are then.
   *
   * @param options How much is computed at once.
   * @returns A generator that computes a few targets more each time you ask for the next value, and ends when everything is computed; at once,
   * where nothing has to be computed. O(contexts) all in all.
   * @example
   * ```ts
   * for (const _ of effective.compute()) await setImmediate(); // Of node:timers/promises.
   * ```
   */
  *compute(options: ComputeOptions = {}): Generator<void, void, void> {
    const { size = 16 } = options;
    while (this.#live.follow().scopes.computeSome(size)) yield;
    for (const namespace of this.#consumerNamespaces()) {
      yield;
      yield* this.forTrafficFrom(namespace).compute(options);
    }
  }

  /** @internal Makes {@link takeChanges} include the traffic from each namespace that a policy is for. O(policies) for such kinds. */
  askForAllTraffic(): void {
    for (const namespace of this.#consumerNamespaces()) this.forTrafficFrom(namespace);
  }

  /** The namespaces whose traffic some policy is for that does not count for all. */
  #consumerNamespaces(): ReadonlySet<string> {
    const namespaces = new Set<string>();
    if (this.kind.crossNamespace !== 'consumer' || this.#options.trafficFrom !== undefined) return namespaces;
    for (const { node } of this.policies) {
      for (const { consumerNamespace } of node.attachments) {
        if (consumerNamespace !== undefined) namespaces.add(consumerNamespace);
      }
    }
    return namespaces;
  }

  /** The policies of this kind, valid or not, by their locators. */
  get policies(): readonly DeclaredPolicy<Spec>[] {
    return this.#live.follow().levels.policies;
  }

  /**
   * A policy of this kind, valid or not, by its locator. O(1).
   *
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  policy(locator: string): DeclaredPolicy<Spec> | undefined {
    const declared = this.#live.follow().levels.policy(locator);
    if (declared === undefined) parseLocator(locator); // A slip must not pass for absence.
    return declared;
  }

  /**
   * What is wrong with policies of this kind, and with targets that say something themselves. What has an error was left
   * out; the rest is as if it did not exist. Targets that are missing are among the issues of the topology; what goes wrong
   * in one context is among those of its effective policy. Finds all contexts when first asked for.
   */
  get issues(): readonly Issue[] {
    return issuesOf(this.#live.follow(), this.#options);
  }

  /**
   * The effective targets that have no effective policies, since they are reached in too many contexts. Finds all contexts when
   * first asked for.
   */
  get leftOut(): readonly TargetNode[] {
    return this.#live.follow().contexts.leftOut;
  }

  /**
   * The first of the {@link leftOut} at or below a target, or what a namespace holds: six at most, in order.
   *
   * @param target A target of the topology.
   * @returns The targets. O(positions below) for the first question after a change, then usually O(1).
   */
  leftOutBelow(target: TargetNode): readonly TargetNode[] {
    return this.#live.follow().leftOutBelow(target);
  }

  /**
   * Whether a policy does not count at a target that it is attached to, since others that are established before have reached `maxPolicies`
   * there, or leave too few of `maxFields`.
   *
   * @param policy Locator of the policy.
   * @param target The target.
   */
  isSurplus(policy: string, target: TargetNode): boolean {
    return this.#live.follow().levels.surplusAt(target).has(policy);
  }

  /**
   * The effective policies of the same kind, with the same limits, in another topology: what a change would make of them. Where the
   * very same resources meet, what has been read and merged here is not read and merged again.
   *
   * @param topology The other topology, such as `topology.with(change)` makes.
   * @returns The other effective policies. They keep these in memory.
   * @throws {PolicyMachineryError} As {@link effectivePolicies}.
   */
  in(topology: Topology): EffectivePolicies<Spec> {
    return new EffectivePolicies(topology, this.kind, this.#options, this.#live);
  }

  /**
   * The effective policies for traffic from a namespace: those of its policies count that reach into other namespaces as
   * consumers (T-11).
   *
   * @param namespace The namespace.
   * @returns Them; the same ones for as long as there are such policies.
   */
  forTrafficFrom(namespace: string): EffectivePolicies<Spec> {
    const known = this.#byTraffic.get(namespace);
    const options = { ...this.#options, trafficFrom: namespace };
    if (known !== undefined) return known;
    const effective = new EffectivePolicies(this.topology, this.kind, options, this.#live);
    for (const reader of this.#readers) effective.#tell(reader);
    this.#byTraffic.set(namespace, effective);
    return effective;
  }

  /** The effective targets, whether any policy reaches them or not, in the order of their locators. */
  get targets(): Iterable<TargetNode> {
    return this.topology.targetsOf(this.kind.effectiveTargets);
  }

  /** Goes through the effective policies of all targets, in the order of the targets' locators. */
  *[Symbol.iterator](): Iterator<EffectivePolicy<Spec>> {
    for (const target of this.targets) {
      for (const policy of this.#live.follow().effectiveOf(target)) yield policy;
    }
  }

  /**
   * The effective policies of one target, one for each context in which a policy reaches it.
   *
   * @param target A target, its locator or a reference to it.
   * @returns The policies; none when no policy reaches the target, or it is no effective target of this kind.
   */
  of(target: TargetNode | ResourceRef | string): readonly EffectivePolicy<Spec>[] {
    const present = this.#live.follow();
    const node = this.topology.get(target);
    return node === undefined ? [] : present.effectiveOf(node);
  }

  /**
   * The effective policies that one path meets, such as the path of a request: for each effective target on it, that of the
   * context which the path is in.
   *
   * @param path A path of the topology from its beginning. It may end anywhere.
   * @returns The policies in the order of the path, so that the last one is that of the most specific effective target; none
   * where no policy reaches the path. O(length of the path).
   */
  along(path: Path): readonly EffectivePolicy<Spec>[] {
    const contexts = this.#live
      .follow()
      .contexts.along(path)
      .map((context) => this.#contextAt(context));
    return contexts.flatMap((context) => (context instanceof EffectivePolicy ? [context] : []));
  }

  /**
   * The contexts that no policy of this kind reaches.
   *
   * @param target Of this target only. Default: of all effective targets.
   */
  uncovered(target?: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const targets = target === undefined ? [...this.targets] : [target];
    return targets.flatMap((it) => this.#contextsOf(it).filter((context) => !(context instanceof EffectivePolicy)));
  }

  /**
   * What applies to a target, and who says so (D-09): *that* policies affect it, *which* they are, and *what* they set. Of
   * a target that is none of the effective ones, that is what applies below it, on the paths that lead through it.
   *
   * @param target A target, its locator or a reference to it: any target of the topology.
   * @param pointer Only the fields at this JSON Pointer and below, from the root of the spec. Default: all.
   * @returns The explanation; an empty one for a target that no policy of this kind affects. O(positions
   * below the target).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   * @throws {TypeError} When the pointer is malformed.
   */
  explain(target: TargetNode | ResourceRef | string, pointer = ''): Explanation<Spec> {
    parsePointer(pointer);
    const node = this.topology.get(target);
    if (node === undefined) return { target: undefined, policies: [], effective: [] };
    const present = this.#live.follow();
    const contexts = contextsThrough(present.contexts, node).map((context) => this.#contextAt(context));
    const policies = this.#sorted(present.affected.of(node).keys());
    return { target: node, policies, effective: explainedIn(contexts, pointer) };
  }

  /**
   * Where a policy applies, or what of it is at a pointer, such as one of its rules: every scope, and what became of it there
   * (H-14, K-15).
   *
   * @param policy The policy's locator, or a reference to it.
   * @param pointer JSON Pointer to a part of it, from the root of the spec proper. Default: all of it.
   * @returns One entry for each scope in which the policy has something to say there, in the order of the targets; none for a
   * policy that is invalid or in no context. The first question goes through all contexts, later ones are O(what they return).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   * @throws {TypeError} When the pointer is malformed.
   */
  reach(policy: ResourceRef | string, pointer = ''): readonly PolicyScope<Spec>[] {
    parsePointer(pointer);
    const declared = this.policy(locatorIn(policy));
    if (declared === undefined) return [];
    const contexts = contextsWith(this.#live.follow().contexts, declared, this.#options.trafficFrom);
    const effective = contexts.map((context) => this.#contextAt(context));
    return scopesOf(
      effective.filter((context) => context instanceof EffectivePolicy),
      declared.node.locator,
      pointer,
    );
  }

  /**
   * The targets that policies affect (D-01), in the order of their locators, each with the policies that {@link explain}
   * names. Goes through all contexts when first asked for.
   */
  get affected(): readonly AffectedTarget<Spec>[] {
    return [...this.topology.targets]
      .map((target) => this.affecting(target))
      .filter(({ policies }) => policies.length > 0);
  }

  /**
   * The policies that affect a target (D-01), as {@link affected} has them.
   *
   * @param target The target.
   * @returns The target with its policies; none if no policy affects it. The first question goes through the contexts below
   * it, later ones are O(what is directly above and below it).
   */
  affecting(target: TargetNode): AffectedTarget<Spec> {
    const affecting = this.#live.follow().affected.of(target);
    const policies = this.#sorted(affecting.keys()).map((policy) => ({
      policy,
      parents: affecting.get(policy.locator) ?? new Set(),
    }));
    return { target, policies };
  }

  /**
   * Where a policy applies, as {@link reach} has it, but with scopes put together where the same becomes of it: for summing up the
   * status of policies with many scopes.
   *
   * @param policy The policy's locator, or a reference to it.
   * @returns The groups of scopes. The first question goes through all contexts, later ones are O(what they return).
   */
  reachInGroups(policy: ResourceRef | string): readonly ScopeGroup<Spec>[] {
    const locator = locatorIn(policy);
    return this.policy(locator) === undefined ? [] : this.#live.follow().scopes.groupsOf(locator);
  }

  /**
   * What becomes of a policy in its scopes: what {@link reachInGroups} says, without losses and ancestors.
   *
   * @param policy The policy's locator, or a reference to it.
   * @returns Each outcome once; none for a policy without scopes. The first question merges all contexts, later ones are O(1).
   * @throws {PolicyMachineryError} `invalid-locator`, for a text that is no locator.
   */
  outcomesOf(policy: ResourceRef | string): ReadonlySet<ScopeOutcome> {
    const locator = locatorIn(policy);
    return this.policy(locator) === undefined ? emptySet : this.#live.follow().scopes.outcomesOf(locator);
  }

  /**
   * The conflict of a policy with others on one of its targets (C-06): policies of which only one may stay are in conflict whether or
   * not there is anything below the target.
   *
   * @param policy The policy's locator, or a reference to it.
   * @param target The target.
   * @returns What the policy loses there and to whom; `undefined` where it stays, or is not attached. O(policies on the target) at first.
   */
  conflictAt(policy: ResourceRef | string, target: TargetNode): ScopeGroup<Spec> | undefined {
    const locator = locatorIn(policy);
    const share = this.#live
      .follow()
      .sharesAt(target)
      .find((it) => it.policy.locator === locator);
    return share?.outcome === 'conflicted' ? groupOnTarget(share, target) : undefined;
  }

  /**
   * Whether any path leads to a target. None leads to one that needs a parent and has none, nor to what only such targets lead to.
   *
   * @param target The target.
   * @returns The answer. O(links above) at first.
   */
  isReached(target: TargetNode): boolean {
    return this.#live.follow().contexts.isReached(target);
  }

  /**
   * Whether a target is in the hands of this controller, by `manages` of the kind (T-22) and by `only`: others are for others to speak of.
   *
   * @param target The target, such as an ancestor of a policy.
   */
  manages(target: TargetNode): boolean {
    const { managed, included } = this.#live.follow();
    return included.has(target.object) && managed.has(target);
  }

  /** Policies by their locators, established first. */
  #sorted(locators: Iterable<string>): readonly Policy<Spec>[] {
    const policies = [...locators].map((locator) => this.policy(locator)?.policy);
    return policies.filter((policy) => policy !== undefined).sort(this.kind.order.compare);
  }

  #contextsOf(target: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const present = this.#live.follow();
    const node = this.topology.get(target);
    return node === undefined ? [] : present.contextsOf(node);
  }

  #contextAt(context: ContextAt<Spec>): Context<Spec> {
    return this.#live.follow().contextAt(context);
  }
}

function locatorIn(policy: ResourceRef | string): string {
  return typeof policy === 'string' ? policy : formatLocator(policy);
}

/**
 * Computes the effective policies of a kind: for every effective target and every context in which it is reached, the
 * policies on all levels of the way, merged into one (M-09).
 *
 * Finding the contexts takes O(targets + links) per distinct set of policies; each distinct set is merged once, when first
 * asked for.
 *
 * @param topology The topology, which the result follows.
 * @param kind The policy kind; one of the topology's.
 * @param options Limits, the traffic, and the verdicts of the controller.
 * @returns The effective policies, and the issues of the policies that were left out. They are found when they are asked for.
 * @throws {PolicyMachineryError} `unknown-kind`, for a kind that the topology was not given.
 * @example
 * ```ts
 * for (const policy of effectivePolicies(topology, TimeoutPolicy)) {
 *   console.log(policy.target.locator, policy.spec.request, policy.originOf('/request')?.policy.name);
 * }
 * ```
 */
export function effectivePolicies<Spec>(
  topology: Topology,
  kind: PolicyKind<Spec>,
  options: EffectivePoliciesOptions<NoInfer<Spec>> = {},
): EffectivePolicies<Spec> {
  const { maxContexts = 10_000, maxPolicies = 50, maxFields = 1_000, trafficFrom, only, verdict } = options;
  const verdicts = new Verdicts(verdict as JudgePolicy<unknown> | undefined); // It is asked about policies of this kind alone.
  return EffectivePolicies.make(topology, kind, { maxContexts, maxPolicies, maxFields, trafficFrom, only, verdicts });
}
