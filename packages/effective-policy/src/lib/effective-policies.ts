import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import {
  formatGroupKind,
  formatLocator,
  groupKindKey,
  type Issue,
  PolicyMachineryError,
  type ResourceRef,
} from '@policy-machinery/resource';
import {
  type Attachment,
  isSectionKind,
  type TargetNode,
  type Topology,
  targetableKey,
} from '@policy-machinery/topology';
import { Contexts } from './contexts.ts';
import { Context, EffectivePolicy, EffectiveResults } from './effective-policy.ts';
import { type Level, levelOf } from './level.ts';
import { ownLevelsOf } from './own-value.ts';
import { reducers } from './reduce.ts';
import { reduceNone } from './reduce-none.ts';
import { Stacks } from './stack.ts';

/** Limits of the computation. */
export interface EffectivePoliciesOptions {
  /**
   * How many contexts, distinct in their policies, one target may have. One with more is left out, with all beneath it, and
   * reported among the issues. Default 10,000.
   */
  readonly maxContexts?: number;
}

/**
 * The effective policies of one kind: what applies to each effective target in each context, as of the moment when it was
 * made. Iterating goes through the targets in the order of their locators.
 */
export class EffectivePolicies<Spec> implements Iterable<EffectivePolicy<Spec>> {
  readonly kind: PolicyKind<Spec>;
  /**
   * What is wrong with policies of this kind, and with targets that say something themselves. What has an error was left
   * out; the rest is as if it did not exist. Targets that are missing are among the issues of the topology; what goes wrong
   * in one context is among those of its effective policy.
   */
  readonly issues: readonly Issue[];
  /** The effective targets, by locator. */
  readonly #targets: ReadonlyMap<string, TargetNode>;
  readonly #contexts: Contexts<Spec>;
  readonly #results: EffectiveResults<Spec>;
  readonly #withOwnValues = new Stacks<Spec>();
  readonly #ownLevels: ReadonlyMap<TargetNode, Level<Spec>>;

  /** @private Use {@link effectivePolicies}. */
  constructor(topology: Topology, kind: PolicyKind<Spec>, { maxContexts = 10_000 }: EffectivePoliciesOptions) {
    if (![...topology.policyKinds].includes(kind)) {
      const message = `The topology does not know this ${formatGroupKind(kind)}; give createTopology the very same value in policyKinds`;
      throw new PolicyMachineryError('unknown-kind', message);
    }
    const { policies, issues } = readPolicies(topology, kind);
    this.kind = kind;
    this.#targets = effectiveTargetsIn(topology, kind);
    const own = ownLevelsOf(this.#targets.values(), kind);
    this.#ownLevels = own.levels;
    this.#contexts = new Contexts(topology, {
      targets: new Set(this.#targets.values()),
      levels: levelsBy(policies, kind),
      hasNamespaceLevel: namespaceLevelsOf(kind),
      maxContexts,
    });
    const leftOut = this.#contexts.leftOut.map((target) => tooManyContexts(target, maxContexts));
    this.issues = [...issues, ...own.issues, ...leftOut];
    this.#results = new EffectiveResults({
      ...kind,
      reduce: mergesNothing(kind) ? reduceNone : reducers[kind.reduction],
    });
  }

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
   * The contexts that no policy of this kind reaches.
   *
   * @param target Of this target only. Default: of all effective targets.
   */
  uncovered(target?: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const targets = target === undefined ? [...this.#targets.values()] : [target];
    return targets.flatMap((it) => this.#contextsOf(it).filter((context) => !(context instanceof EffectivePolicy)));
  }

  #contextsOf(target: TargetNode | ResourceRef | string): readonly Context<Spec>[] {
    const node = this.#targets.get(locatorIn(target));
    if (node === undefined) return [];
    return [...this.#contexts.of(node)].map(([stack, count]) => {
      const place = { contexts: this.#contexts, target: node, stack, pathCount: count };
      if (stack.level === undefined) return new Context(place);
      const own = this.#ownLevels.get(node);
      const merged = own === undefined ? stack : this.#withOwnValues.push(stack, own);
      return new EffectivePolicy(place, merged, this.#results);
    });
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

function locatorIn(target: TargetNode | ResourceRef | string): string {
  if (typeof target === 'string') return target;
  return 'locator' in target ? target.locator : formatLocator(target);
}

function effectiveTargetsIn<Spec>(topology: Topology, kind: PolicyKind<Spec>): ReadonlyMap<string, TargetNode> {
  const keys = new Set(kind.effectiveTargets.map(targetableKey));
  return new Map(
    [...topology.targets].filter((node) => keys.has(targetableKey(node.kind))).map((node) => [node.locator, node]),
  );
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

interface AttachedPolicy<Spec> {
  readonly policy: Policy<Spec>;
  readonly attachments: readonly Attachment[];
}

function readPolicies<Spec>(
  topology: Topology,
  kind: PolicyKind<Spec>,
): { policies: readonly AttachedPolicy<Spec>[]; issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const policies = topology.policies(kind).flatMap(({ resource, attachments }) => {
    const reading = kind.read(resource);
    issues.push(...reading.issues);
    const saysNothing = reading.policy === undefined || reading.policy.layers.length === 0;
    return saysNothing ? [] : [{ policy: reading.policy, attachments }];
  });
  return { policies, issues };
}

/** The ways of being attached, the less specific one first: a level each. */
const ways = ['targetRef', 'policyRef'] as const;

function levelsBy<Spec>(
  policies: readonly AttachedPolicy<Spec>[],
  kind: PolicyKind<Spec>,
): ReadonlyMap<TargetNode, readonly Level<Spec>[]> {
  const attached = new Map<TargetNode, Record<Attachment['via'], Set<Policy<Spec>>>>();
  for (const { policy, attachments } of policies) {
    for (const { target, via } of attachments) {
      if (target === undefined) continue;
      const there = attached.get(target) ?? { targetRef: new Set(), policyRef: new Set() };
      attached.set(target, there);
      there[via].add(policy);
    }
  }
  return new Map(
    [...attached].map(([target, there]) => {
      const used = ways.filter((via) => there[via].size > 0);
      return [target, used.map((via) => levelOf({ target, via }, [...there[via]], kind))];
    }),
  );
}

function namespaceLevelsOf<Spec>({ namespaceLevels }: PolicyKind<Spec>): (object: TargetNode) => boolean {
  if (namespaceLevels === undefined) return () => true;
  const keys = new Set(namespaceLevels.map(groupKindKey));
  return ({ kind }) => !isSectionKind(kind) && keys.has(groupKindKey(kind));
}
