import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import {
  formatGroupKind,
  formatLocator,
  type Issue,
  PolicyMachineryError,
  parsePointer,
  type ResourceRef,
} from '@policy-machinery/resource';
import type { Path, TargetNode, Topology } from '@policy-machinery/topology';
import { type Affected, type AffectedTarget, affectedIn } from './affected.ts';
import { type Arrival, Contexts, type PlacedContext } from './contexts.ts';
import { type DeclaredPolicy, levelsBy, readPolicies } from './declared-policy.ts';
import { Context, EffectivePolicy, EffectiveResults } from './effective-policy.ts';
import { type Explanation, explainedIn } from './explain.ts';
import { effectiveTargetsIn, isOneOf, namespaceLevelsOf } from './kinds.ts';
import type { Level } from './level.ts';
import { ownLevelsOf } from './own-value.ts';
import { type PolicyScope, scopesOf } from './reach.ts';
import { reducers } from './reduce.ts';
import { reduceNone } from './reduce-none.ts';
import { type Stack, Stacks } from './stack.ts';

/** Limits of the computation, and the traffic that it is for. */
export interface EffectivePoliciesOptions {
  /**
   * How many contexts, distinct in their policies, one target may have. One with more is left out, with all beneath it, and
   * reported among the issues. Default 10,000.
   */
  readonly maxContexts?: number;
  /**
   * The namespace that traffic comes from. Policies that reach into other namespaces as consumers count only for traffic
   * from their own (T-11). Default: traffic from elsewhere, for which they do not count.
   */
  readonly trafficFrom?: string;
}

/**
 * The effective policies of one kind: what applies to each effective target in each context, as of the moment when it was
 * made. Iterating goes through the targets in the order of their locators.
 */
export class EffectivePolicies<Spec> implements Iterable<EffectivePolicy<Spec>> {
  readonly topology: Topology;
  readonly kind: PolicyKind<Spec>;
  /** The policies of this kind, valid or not, by their locators. */
  readonly policies: readonly DeclaredPolicy<Spec>[];
  /**
   * What is wrong with policies of this kind, and with targets that say something themselves. What has an error was left
   * out; the rest is as if it did not exist. Targets that are missing are among the issues of the topology; what goes wrong
   * in one context is among those of its effective policy.
   */
  readonly issues: readonly Issue[];
  /** The effective targets that have no effective policies, since they are reached in too many contexts. */
  readonly leftOut: readonly TargetNode[];
  /** The effective targets, by locator. */
  readonly #targets: ReadonlyMap<string, TargetNode>;
  readonly #options: EffectivePoliciesOptions;
  readonly #contexts: Contexts<Spec>;
  readonly #results: EffectiveResults<Spec>;
  readonly #withOwnValues = new Stacks<Spec>();
  readonly #ownLevels: ReadonlyMap<TargetNode, Level<Spec>>;
  readonly #made = new Map<TargetNode, Map<Stack<Spec>, Context<Spec>>>();
  readonly #byTraffic = new Map<string, EffectivePolicies<Spec>>();
  #affectedTargets: Affected<Spec> | undefined;
  #scopesByPolicy: ReadonlyMap<string, readonly EffectivePolicy<Spec>[]> | undefined;

  /** @private Use {@link effectivePolicies}. */
  constructor(
    topology: Topology,
    kind: PolicyKind<Spec>,
    options: EffectivePoliciesOptions,
    earlier?: EffectivePolicies<Spec>,
  ) {
    const { maxContexts = 10_000, trafficFrom } = options;
    if (![...topology.policyKinds].includes(kind)) {
      const message = `The topology does not know this ${formatGroupKind(kind)}; give createTopology the very same value in policyKinds`;
      throw new PolicyMachineryError('unknown-kind', message);
    }
    const policies = readPolicies(topology, kind, earlier?.policies);
    this.#options = options;
    this.topology = topology;
    this.kind = kind;
    this.policies = policies;
    this.#targets = effectiveTargetsIn(topology, kind);
    const own = ownLevelsOf(this.#targets.values(), kind);
    this.#ownLevels = own.levels;
    this.#contexts = new Contexts(topology, {
      targets: new Set(this.#targets.values()),
      levels: levelsBy(policies, kind, trafficFrom),
      hasNamespaceLevel: namespaceLevelsOf(kind),
      isAncestor: isOneOf(kind.ancestors),
      maxContexts,
    });
    this.leftOut = this.#contexts.leftOut;
    const cut = this.leftOut.map((target) => tooManyContexts(target, maxContexts));
    this.issues = [...policies.flatMap((policy) => policy.issues), ...own.issues, ...cut];
    const rules = { ...kind, reduce: mergesNothing(kind) ? reduceNone : reducers[kind.reduction] };
    this.#results = new EffectiveResults(rules, earlier === undefined ? undefined : earlier.#results.shared);
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
    return new EffectivePolicies(topology, this.kind, this.#options, this);
  }

  /**
   * The effective policies for traffic from a namespace: those of its policies count that reach into other namespaces as
   * consumers (T-11).
   *
   * @param namespace The namespace.
   * @returns Them; the same ones each time.
   */
  forTrafficFrom(namespace: string): EffectivePolicies<Spec> {
    const known = this.#byTraffic.get(namespace);
    const effective =
      known ?? new EffectivePolicies(this.topology, this.kind, { ...this.#options, trafficFrom: namespace }, this);
    this.#byTraffic.set(namespace, effective);
    return effective;
  }

  /** The effective targets, whether any policy reaches them or not, in the order of their locators. */
  get targets(): Iterable<TargetNode> {
    return this.#targets.values();
  }

  /** Goes through the effective policies of all targets, in the order of the targets' locators. */
  *[Symbol.iterator](): Iterator<EffectivePolicy<Spec>> {
    for (const target of this.#targets.values()) yield* this.of(target);
  }

  /**
   * The effective policies of one target, one for each context in which a policy reaches it.
   *
   * @param target A target, its locator or a reference to it.
   * @returns The policies; none when no policy reaches the target, or it is no effective target of this kind.
   */
  of(target: TargetNode | ResourceRef | string): readonly EffectivePolicy<Spec>[] {
    return this.#contextsOf(target).flatMap((context) => (context instanceof EffectivePolicy ? [context] : []));
  }

  /**
   * The effective policies that one path meets, such as the path of a request: for each effective target on it, that of the
   * context which the path is in.
   *
   * @param path A path of the topology from its beginning, with the targets as they were when this was made. It may end
   * anywhere.
   * @returns The policies in the order of the path, so that the last one is that of the most specific effective target; none
   * where no policy reaches the path. O(length of the path).
   */
  along(path: Path): readonly EffectivePolicy<Spec>[] {
    const contexts = this.#contexts.along(path).map((context) => this.#contextAt(context));
    return contexts.flatMap((context) => (context instanceof EffectivePolicy ? [context] : []));
  }

  /**
   * The contexts that no policy of this kind reaches.
   *
   * @param target Of this target only. Default: of all effective targets.
   */
  uncovered(target?: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const targets = target === undefined ? [...this.#targets.values()] : [target];
    return targets.flatMap((it) => this.#contextsOf(it).filter((context) => !(context instanceof EffectivePolicy)));
  }

  /**
   * What applies to a target, and who says so (D-09): *that* policies affect it, *which* they are, and *what* they set. Of
   * a target that is none of the effective ones, that is what applies beneath it, on the paths that lead through it.
   *
   * @param target A target, its locator or a reference to it: any target of the topology.
   * @param pointer Only the fields at this JSON Pointer and beneath, from the root of the spec. Default: all.
   * @returns The explanation; an empty one for a target that no policy of this kind affects. The first question goes through all
   * contexts, later ones are O(positions beneath the target).
   * @throws {TypeError} When the pointer is malformed.
   */
  explain(target: TargetNode | ResourceRef | string, pointer = ''): Explanation<Spec> {
    parsePointer(pointer);
    const node = this.topology.get(target);
    if (node === undefined) return { target: undefined, policies: [], effective: [] };
    const contexts = this.#contexts.through(node).map((context) => this.#contextAt(context));
    const policies = this.#sorted(this.#affected.get(node)?.keys() ?? []);
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
   * @throws {TypeError} When the pointer is malformed.
   */
  reach(policy: ResourceRef | string, pointer = ''): readonly PolicyScope<Spec>[] {
    parsePointer(pointer);
    const locator = typeof policy === 'string' ? policy : formatLocator(policy);
    return scopesOf(this.#scopes.get(locator) ?? [], locator, pointer);
  }

  /**
   * The targets that policies affect (D-01), in the order of their locators, each with the policies that {@link explain}
   * names. Goes through all contexts when first asked for.
   */
  get affected(): readonly AffectedTarget<Spec>[] {
    const affected = [...this.#affected].map(([target, policies]) => ({
      target,
      policies: this.#sorted(policies.keys()).map((policy) => ({
        policy,
        parents: new Set([...(policies.get(policy) ?? [])].sort(byLocator)),
      })),
    }));
    return affected.sort((a, b) => byLocator(a.target, b.target));
  }

  get #affected(): Affected<Spec> {
    this.#affectedTargets ??= affectedIn(this.#contexts, (target, stack) => {
      const shares = this.#results.sharesOf(this.#merged(target, stack));
      return new Set(shares.filter(({ contributes }) => contributes).map(({ policy }) => policy));
    });
    return this.#affectedTargets;
  }

  /** The effective policies in whose scope each policy is, by the policy's locator. */
  get #scopes(): ReadonlyMap<string, readonly EffectivePolicy<Spec>[]> {
    if (this.#scopesByPolicy !== undefined) return this.#scopesByPolicy;
    const scopes = new Map<string, EffectivePolicy<Spec>[]>();
    for (const effective of this) {
      for (const locator of new Set(effective.levels.flatMap(({ policies }) => policies.map((it) => it.locator)))) {
        const there = scopes.get(locator) ?? [];
        scopes.set(locator, there);
        there.push(effective);
      }
    }
    this.#scopesByPolicy = scopes;
    return scopes;
  }

  #sorted(policies: Iterable<Policy<Spec>>): readonly Policy<Spec>[] {
    return [...policies].sort(this.kind.order.compare);
  }

  #contextsOf(target: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const node = this.#targets.get(locatorIn(target));
    if (node === undefined) return [];
    return [...this.#contexts.of(node).keys()].map((stack) => this.#contextAt({ target: node, stack }));
  }

  #contextAt({ target, stack }: PlacedContext<Spec>): Context<Spec> {
    const known = this.#made.get(target)?.get(stack);
    if (known !== undefined) return known;
    const arrival = this.#contexts.of(target).get(stack) as Arrival;
    const place = { contexts: this.#contexts, target, stack, arrival };
    const context =
      stack.level === undefined
        ? new Context(place)
        : new EffectivePolicy(place, this.#merged(target, stack), this.#results);
    this.#made.set(target, (this.#made.get(target) ?? new Map()).set(stack, context));
    return context;
  }

  /** The levels that are merged for a target: those of its context, and what it says itself. */
  #merged(target: TargetNode, stack: Stack<Spec>): Stack<Spec> {
    const own = this.#ownLevels.get(target);
    return own === undefined ? stack : this.#withOwnValues.push(stack, own);
  }
}

function mergesNothing<Spec>({ stanzas }: PolicyKind<Spec>): boolean {
  const strategies = Object.values(stanzas.strategies);
  return strategies.length > 0 && strategies.every(({ granularity }) => granularity === 'None');
}

function tooManyContexts({ locator }: TargetNode, maxContexts: number): Issue {
  return {
    code: 'too-many-contexts',
    severity: 'error',
    message: `it, or what is above it, is reached in more than ${maxContexts} contexts that differ in their policies, so it has no effective policies; attach fewer policies above it, or raise maxContexts`,
    resource: locator,
  };
}

function byLocator(a: TargetNode, b: TargetNode): number {
  return a.locator < b.locator ? -1 : Number(a.locator > b.locator);
}

function locatorIn(target: TargetNode | ResourceRef | string): string {
  if (typeof target === 'string') return target;
  return 'locator' in target ? target.locator : formatLocator(target);
}

/**
 * Computes the effective policies of a kind: for every effective target and every context in which it is reached, the
 * policies on all levels of the way, merged into one (M-09).
 *
 * Finding the contexts takes O(targets + links) per distinct set of policies; each distinct set is merged once, when first
 * asked for.
 *
 * @param topology The topology; a later change to it does not show in the result.
 * @param kind The policy kind; one of the topology's.
 * @param options Limits.
 * @returns The effective policies, and the issues of the policies that were left out.
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
  options: EffectivePoliciesOptions = {},
): EffectivePolicies<Spec> {
  return new EffectivePolicies(topology, kind, options);
}
