import { equalityKey } from '@policy-machinery/merge/inner';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import {
  formatGroupKind,
  formatLocator,
  type Issue,
  objectIn,
  PolicyMachineryError,
  parseLocator,
  parsePointer,
  type ResourceRef,
} from '@policy-machinery/resource';
import { formatTarget, type Path, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { AffectedTarget } from './answers/affected.ts';
import { affectedTarget, declaredPolicies } from './answers/affected-target.ts';
import { type Context, EffectivePolicy } from './answers/effective-policy.ts';
import { type Explanation, explainedIn } from './answers/explain.ts';
import { issuesOf } from './answers/issues.ts';
import { type PolicyScope, scopesOf } from './answers/reach.ts';
import { groupsIn } from './answers/scope-groups.ts';
import { groupOnTarget, type ScopeGroup } from './answers/scopes.ts';
import { StatusQueries } from './answers/status-queries.ts';
import type { ViewOptions } from './answers/view-state.ts';
import type { ContextAt } from './contexts/contexts.ts';
import { contextsThrough, contextsWith } from './contexts/through.ts';
import type { ComputeOptions, EffectivePoliciesOptions } from './effective-policies-options.ts';
import { type EffectiveChanges, type EffectiveDelta, GatheredChanges } from './follow/effective-delta.ts';
import { LiveState } from './follow/live-state.ts';
import type { DeclaredPolicy } from './levels/declared-policy.ts';
import { type JudgePolicy, Verdicts } from './levels/verdict.ts';
import { isConflict } from './reasons/loss.ts';
import { none } from './support/nothing.ts';

/**
 * The effective policies of one kind, one for each context of each effective target. They follow their topology: every answer is up to date
 * with the last change. Iteration is in the order of the targets' locators.
 */
export class EffectivePolicies<Spec> implements Iterable<EffectivePolicy<Spec>> {
  readonly topology: Topology;
  readonly kind: PolicyKind<Spec>;
  /** @internal Use {@link statusQueries}. */
  readonly statusQueries: StatusQueries<Spec>;
  readonly #options: ViewOptions;
  readonly #live: LiveState<Spec>;
  readonly #byTraffic = new Map<string, EffectivePolicies<Spec>>();
  readonly #readers: GatheredChanges[] = [];
  /** The policies that were reconsidered, each with the number of the last time. */
  readonly #reconsidered = new Map<string, number>();
  #reconsiderations = 0;
  /** The reader of `takeChanges`. */
  readonly #refreshed: EffectiveChanges;

  private constructor(topology: Topology, kind: PolicyKind<Spec>, options: ViewOptions, elsewhere?: LiveState<Spec>) {
    if (![...topology.policyKinds].includes(kind)) {
      const message = `The topology does not know this ${formatGroupKind(kind)}; pass the same value in policyKinds of createTopology`;
      throw new PolicyMachineryError('unknown-kind', message);
    }
    this.topology = topology;
    this.kind = kind;
    this.#options = options;
    this.#live = new LiveState(topology, kind, options, elsewhere);
    this.statusQueries = new StatusQueries(() => this.#live.follow(), options);
    this.#refreshed = this.changes();
  }

  /** @internal Use {@link effectivePolicies}. */
  static make<Spec>(topology: Topology, kind: PolicyKind<Spec>, options: ViewOptions): EffectivePolicies<Spec> {
    return new EffectivePolicies(topology, kind, options);
  }

  /**
   * Creates a reader of changes, for data that you keep up to date with effective policies, such as statuses. Readers are independent, so several can
   * read the same changes. A reader holds the locators of changes that were not taken for as long as these effective policies live: create one
   * for each purpose, not for each question. A target that was added and removed between two calls is left out.
   *
   * @returns The reader, which begins with the changes from now on, for traffic from all namespaces that a policy is for. O(changes after the last
   * question); for kinds with policies of consumers, also O(policies) for each of their namespaces.
   * @example
   * ```ts
   * const changes = effective.changes();
   * topology.apply(change);
   * changes.take().targets; // the targets that the change has touched
   * changes.take().targets; // none: they were taken
   * ```
   */
  changes(): EffectiveChanges {
    const reader = new GatheredChanges();
    this.#addReader(reader);
    this.#askForAllTraffic();
    const { group, kind } = this.kind;
    return {
      take: () => {
        this.#followAll();
        this.#askForAllTraffic();
        return { kind: { group, kind }, ...reader.take() };
      },
    };
  }

  /**
   * Returns the changes after the last call, at first after the creation of these effective policies. All callers share one reader: with
   * several, create a reader for each with {@link changes}.
   *
   * @returns The changes, for traffic from all namespaces that a policy is for. O(changes and targets below them).
   */
  takeChanges(): EffectiveDelta {
    return this.#refreshed.take();
  }

  /** Adds a reader of all changes from now on, for traffic from all namespaces. */
  #addReader(reader: GatheredChanges): void {
    this.#readers.push(reader);
    this.#live.addReader(reader);
    for (const effective of this.#byTraffic.values()) effective.#addReader(reader);
  }

  /** Brings the state up to date, so that readers have all changes. */
  #followAll(): void {
    this.#live.follow();
    for (const [namespace, effective] of this.#byTraffic) {
      effective.#followAll();
      if (effective.isLikeAnyOther) this.#byTraffic.delete(namespace); // Namespaces come and go.
    }
  }

  /**
   * Asks your `verdict` about some policies again. Call this when something that the verdict depends on has changed, such as a Secret. All answers
   * follow, as if the policies had been edited, and {@link takeChanges} names these policies.
   *
   * @param policies Locators of the policies, or references to them; policies that are gone are ignored. Default: all of this kind.
   * @throws {PolicyMachineryError} `invalid-locator` if a text is not a locator.
   */
  reconsider(policies?: Iterable<ResourceRef | string>): void {
    const allLocators = (): readonly string[] => this.topology.policies(this.kind).map(({ locator }) => locator);
    const locators = policies === undefined ? allLocators() : Array.from(policies, locatorIn);
    for (const locator of locators) {
      const node = this.topology.policy(locator);
      if (node !== undefined) this.#options.verdicts.forget(node.resource);
      else parseLocator(locator); // A malformed locator must not pass for a missing policy.
    }
    this.#reconsider(locators);
    this.#options.onReconsider?.();
  }

  #reconsider(locators: readonly string[]): void {
    this.#reconsiderations += 1;
    for (const locator of locators) this.#reconsidered.set(locator, this.#reconsiderations);
    this.#live.reconsider(locators);
    for (const effective of this.#byTraffic.values()) effective.#reconsider(locators);
  }

  /**
   * @internal Follows {@link reconsider} of other effective policies with the same verdicts.
   * @param since The number of the last reconsideration that was followed.
   * @returns The number of the last reconsideration.
   */
  followReconsidered(other: EffectivePolicies<Spec>, since: number): number {
    if (other.#reconsiderations > since) {
      this.#reconsider([...other.#reconsidered].flatMap(([locator, time]) => (time > since ? [locator] : [])));
    }
    return other.#reconsiderations;
  }

  /** @internal Whether all policies that count for this traffic count for other traffic, too. */
  get isLikeAnyOther(): boolean {
    return !this.#live.follow().levels.hasConsumers;
  }

  /**
   * Computes the data of plans and reports for all targets in slices: contexts, the outcomes of policies, and effective specs. Answers do not depend
   * on this call, because everything is computed on demand. But the first question about all targets of a large cluster blocks the event loop for
   * a long time.
   *
   * You can change the topology between slices: computed parts are updated, and the rest is computed from the changed topology.
   *
   * @param options The size of a slice.
   * @returns A generator that computes a slice each time you ask for the next value, and ends when everything is computed. O(contexts) in total.
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
      this.forTrafficFrom(namespace);
    }
  }

  /** Follows the traffic from each namespace that a policy is for, so that changes include it. */
  #askForAllTraffic(): void {
    for (const namespace of this.#consumerNamespaces()) this.forTrafficFrom(namespace);
  }

  /** Returns the namespaces with policies that count for their traffic only. */
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

  /** The policies of this kind, valid or not, in the order of their locators. */
  get policies(): readonly DeclaredPolicy<Spec>[] {
    return this.#live.follow().levels.policies;
  }

  /**
   * Returns a policy of this kind, valid or not, by its locator; `undefined` if there is none. O(1).
   *
   * @throws {PolicyMachineryError} `invalid-locator` if the text is not a locator.
   */
  policy(locator: string): DeclaredPolicy<Spec> | undefined {
    const declared = this.#live.follow().levels.policy(locator);
    if (declared === undefined) parseLocator(locator); // A malformed locator must not pass for a missing policy.
    return declared;
  }

  /**
   * The issues of policies of this kind, and of targets' own values. A policy or value with an error is left out, as if it did not exist. Missing
   * targets are among the issues of the topology; issues in one context are among the issues of its effective policy. The first question finds all
   * contexts.
   */
  get issues(): readonly Issue[] {
    return issuesOf(this.#live.follow(), this.#options);
  }

  /**
   * Returns the effective policies of the same kind, with the same options, in another topology: the effect of a change. Results for the same
   * resources are shared rather than computed again.
   *
   * @param topology The other topology, such as the result of `topology.with(change)`.
   * @returns The other effective policies. They keep these in memory.
   * @throws {PolicyMachineryError} Errors of {@link effectivePolicies}.
   */
  in(topology: Topology): EffectivePolicies<Spec> {
    return new EffectivePolicies(topology, this.kind, this.#options, this.#live);
  }

  /**
   * Returns the effective policies for traffic from a namespace: the namespace's policies of consumers count for it.
   *
   * @returns The effective policies; the same ones on each call, for as long as there are such policies.
   */
  forTrafficFrom(namespace: string): EffectivePolicies<Spec> {
    const knownView = this.#byTraffic.get(namespace);
    if (knownView !== undefined) return knownView;
    const options = { ...this.#options, trafficFrom: namespace };
    const effective = new EffectivePolicies(this.topology, this.kind, options, this.#live);
    for (const reader of this.#readers) effective.#addReader(reader);
    this.#byTraffic.set(namespace, effective);
    return effective;
  }

  /** The effective targets, with and without policies, in the order of their locators. */
  get targets(): Iterable<TargetNode> {
    return this.topology.targetsOf(this.kind.effectiveTargets);
  }

  /** Iterates over the effective policies of all targets, in the order of the targets' locators. */
  *[Symbol.iterator](): Iterator<EffectivePolicy<Spec>> {
    for (const target of this.targets) {
      for (const policy of this.#live.follow().effectiveOf(target)) yield policy;
    }
  }

  /**
   * Returns the effective policies of one target, one for each context with policies.
   *
   * @param target A target, its locator or a reference to it.
   * @returns The effective policies; none if policies do not affect the target, or it is not an effective target of this kind.
   */
  of(target: TargetNode | ResourceRef | string): readonly EffectivePolicy<Spec>[] {
    const present = this.#live.follow();
    const node = this.topology.get(target);
    return node === undefined ? [] : present.effectiveOf(node);
  }

  /**
   * Returns the one effective policy of a target, for a data plane that can be configured with one only.
   *
   * @param target A target, its locator or a reference to it.
   * @param dataPlane One of the `dataPlanes` of the target's contexts. Default: all contexts count.
   * @returns The effective policy of these contexts, any of them if their specs are equal; `undefined` if there is none.
   * @throws {PolicyMachineryError} `several-effective-policies`, if two of them have different specs.
   */
  exactlyOne(
    target: TargetNode | ResourceRef | string,
    dataPlane?: TargetNode | ResourceRef | string,
  ): EffectivePolicy<Spec> | undefined {
    const below = dataPlane === undefined ? undefined : this.topology.get(dataPlane);
    const policies = this.of(target).filter(
      (it) => dataPlane === undefined || it.dataPlanes.some((object) => object === below),
    );
    const [first, ...others] = policies;
    if (first === undefined) return undefined;
    const specOf = ({ spec }: EffectivePolicy<Spec>): string => equalityKey(objectIn(spec));
    const other = others.find((it) => it.key !== first.key && specOf(it) !== specOf(first));
    if (other === undefined) return first;
    const ways = [first, other].map(({ ancestors }) => ancestors.map(formatTarget).join(', '));
    const message = `${formatTarget(first.target)} has different effective policies, through ${ways.join(' and through ')}: configure each context by itself`;
    throw new PolicyMachineryError('several-effective-policies', message);
  }

  /**
   * Returns the effective policies on one path, such as the path of a request: for each effective target on the path, the effective policy in the
   * context of the path.
   *
   * @param path A path of the topology from its root. It may end at any target.
   * @returns The effective policies in the order of the path, so the last one belongs to the most specific effective target; none without policies on the path. O(length of the path).
   */
  along(path: Path): readonly EffectivePolicy<Spec>[] {
    const contexts = this.#live
      .follow()
      .contexts.along(path)
      .map((context) => this.#contextAt(context));
    return contexts.flatMap((context) => (context instanceof EffectivePolicy ? [context] : []));
  }

  /**
   * Returns the contexts without policies of this kind.
   *
   * @param target The target of the contexts. Default: all effective targets.
   */
  uncovered(target?: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const targets = target === undefined ? [...this.targets] : [target];
    return targets.flatMap((it) => this.#contextsOf(it).filter((context) => !(context instanceof EffectivePolicy)));
  }

  /**
   * Explains the effective policy of a target: *that* policies affect the target, *which* ones, and the fields that they set. For a target that
   * is not an effective target, the explanation is about the effective targets below, on the paths through the target.
   *
   * @param target Any target of the topology, its locator or a reference to it.
   * @param pointer JSON Pointer to the fields to explain, from the root of the spec. Default: all fields.
   * @returns The explanation; an empty one if no policy of this kind affects the target. O(positions below the target).
   * @throws {PolicyMachineryError} `invalid-locator` if the text is not a locator.
   * @throws {TypeError} If the pointer is malformed.
   */
  explain(target: TargetNode | ResourceRef | string, pointer = ''): Explanation<Spec> {
    parsePointer(pointer);
    const node = this.topology.get(target);
    if (node === undefined) return { target: undefined, policies: [], effective: [] };
    const present = this.#live.follow();
    const contexts = contextsThrough(present.contexts, node).map((context) => this.#contextAt(context));
    const policies = declaredPolicies(present, present.affected.of(node).keys());
    return { target: node, policies, effective: explainedIn(contexts, pointer) };
  }

  /**
   * Returns the scopes of a policy, or of a part of it such as a rule, each with the outcome there.
   *
   * @param policy The policy's locator, or a reference to it.
   * @param pointer JSON Pointer to a part of the policy, from the root of the spec proper. Default: the whole policy.
   * @returns One entry for each scope where the policy sets or loses a field of the part, in the order of the targets; none for a policy that
   * is invalid or in no context. The first question searches all contexts; later ones are O(result).
   * @throws {PolicyMachineryError} `invalid-locator` if the text is not a locator.
   * @throws {TypeError} If the pointer is malformed.
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
   * The targets that policies affect, in the order of their locators, each with the policies that {@link explain} names. O(positions below,
   * summed over all targets), usually far fewer.
   */
  get affected(): readonly AffectedTarget<Spec>[] {
    return [...this.topology.targets]
      .map((target) => this.affecting(target))
      .filter(({ policies }) => policies.length > 0);
  }

  /**
   * Returns the policies that affect a target, like {@link affected}.
   *
   * @returns The target with its policies; without policies if none affects the target. O(positions below), fewer where all policies above the
   * target set a field soon.
   */
  affecting(target: TargetNode): AffectedTarget<Spec> {
    const state = this.#live.follow();
    return affectedTarget(state, target, state.affected.of(target));
  }

  /**
   * Returns the scopes of a policy, like {@link reach}, but grouped where the policy has the same share: for the status of policies with many
   * scopes.
   *
   * @param policy The policy's locator, or a reference to it.
   * @returns The groups of scopes. The first question searches all contexts, and later ones are O(result); for traffic from one namespace, each question
   * searches the contexts of the policy.
   */
  reachInGroups(policy: ResourceRef | string): readonly ScopeGroup<Spec>[] {
    const locator = locatorIn(policy);
    if (this.policy(locator) === undefined) return none;
    return groupsIn(this.#live.follow(), locator, this.#options.trafficFrom);
  }

  /**
   * Returns the conflict of a policy with others on one of its targets. If only one policy can stay on a target, there is a conflict even if
   * no effective target is below.
   *
   * @param policy The policy's locator, or a reference to it.
   * @returns The losses of the policy there, with the prevailing policies; `undefined` if the policy stays, or is not attached. O(policies on the target)
   * at first.
   */
  conflictAt(policy: ResourceRef | string, target: TargetNode): ScopeGroup<Spec> | undefined {
    const locator = locatorIn(policy);
    const share = this.#live
      .follow()
      .sharesAt(target)
      .find((it) => it.policy.locator === locator);
    // A target that also names the policy attaches it once more, past the conflict.
    const isInConflict = share?.outcome === 'conflicted' || share?.losses.some(isConflict);
    return share !== undefined && isInConflict ? groupOnTarget(share, target) : undefined;
  }

  /**
   * Returns whether this controller manages a target, by `manages` of the kind, `ours` and `only`. Other controllers report the others.
   *
   * @param target The target, such as an ancestor of a policy.
   */
  manages(target: TargetNode): boolean {
    const { managed, included } = this.#live.follow();
    return included.has(target.object) && managed.has(target);
  }

  #contextsOf(target: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const present = this.#live.follow();
    const node = this.topology.get(target);
    return node === undefined ? [] : present.contextsOf(node);
  }

  #contextAt(context: ContextAt): Context<Spec> {
    return this.#live.follow().contextAt(context);
  }
}

function locatorIn(policy: ResourceRef | string): string {
  return typeof policy === 'string' ? policy : formatLocator(policy);
}

/**
 * Returns the effective policies of a kind: for each context of each effective target, the policies on all levels of the context, merged into
 * one.
 *
 * Contexts are found in O(targets + links) for each distinct set of policies; each distinct set is merged once. All results are computed on
 * demand.
 *
 * @param topology The topology, which the result follows.
 * @param kind The policy kind; one of the topology's.
 * @param options Limits, the traffic, and the verdicts of the controller.
 * @returns The effective policies, and the issues of the policies that were left out.
 * @throws {PolicyMachineryError} `unknown-kind` if the kind is none of the topology's.
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
  const {
    maxContexts = 10_000,
    maxPolicies = 50,
    maxFields = 1_000,
    trafficFrom,
    ours,
    only,
    verdict,
    onReconsider,
  } = options;
  const verdicts = new Verdicts(verdict as JudgePolicy<unknown> | undefined); // It is called for policies of this kind only.
  const limits = { maxContexts, maxPolicies, maxFields };
  return EffectivePolicies.make(topology, kind, { ...limits, trafficFrom, ours, only, verdicts, onReconsider });
}
