import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { Contexts, PlacedPosition } from './contexts.ts';
import { levelsOf, type Stack } from './stack.ts';
import type { TargetSet } from './target-sets.ts';

/** The policies that have an effect on each target, each with the ancestors through which it has. */
export type Affected<Spec> = ReadonlyMap<TargetNode, ReadonlyMap<Policy<Spec>, ReadonlySet<TargetNode>>>;

/**
 * Finds which policies have an effect on which targets (D-01): on a target affected is whoever sets a field of the effective
 * policy of some context that leads through it, and stands at it or above. It goes through the contexts once, from the
 * effective targets upwards.
 *
 * @param contexts The contexts.
 * @param settersOf Who sets a field in a context.
 */
export function affectedIn<Spec>(
  contexts: Contexts<Spec>,
  settersOf: (target: TargetNode, stack: Stack<Spec>) => ReadonlySet<Policy<Spec>>,
): Affected<Spec> {
  const affected = new Map<TargetNode, Map<Policy<Spec>, Set<TargetNode>>>();
  const affect = (target: TargetNode, policies: Iterable<Policy<Spec>>, through: TargetSet): void => {
    for (const policy of policies) {
      const there = affected.get(target) ?? new Map<Policy<Spec>, Set<TargetNode>>();
      affected.set(target, there);
      const all = there.get(policy) ?? new Set();
      there.set(policy, all);
      for (const ancestor of through) all.add(ancestor);
    }
  };
  const inContext = (target: TargetNode, stack: Stack<Spec>): ReadonlySet<Policy<Spec>> => {
    const setters = settersOf(target, stack);
    const ancestors = contexts.of(target).get(stack)?.ancestors ?? new Set();
    affect(target, setters, ancestors);
    for (const level of levelsOf(stack)) {
      const onIt = level.policies.filter((policy) => setters.has(policy));
      affect(level.target, onIt, ancestors);
    }
    return setters;
  };

  const beneath = new SettersBeneath<Spec>();
  for (const { position, stack, ancestors, next, passed, isWanted } of contexts.backwards()) {
    const policies = policiesOf(stack);
    if (policies.size === 0) continue;
    const setters = new Set<Policy<Spec>>();
    const gather = (found: Iterable<Policy<Spec>>): void => {
      for (const policy of found) if (policies.has(policy)) setters.add(policy);
    };
    if (isWanted) gather(inContext(position.node, stack));
    for (const { target, stack: there } of passed) gather(inContext(target, there));
    for (const following of next) gather(beneath.of(following));
    beneath.set({ position, stack }, setters);

    const { node, entered } = position;
    affect(node, setters, ancestors);
    if (!entered || node.section === undefined) continue;
    const above = new Set(levelsOf(stack).flatMap(({ target, policies: its }) => (target === node ? [] : its)));
    const alsoAbove = [...setters].filter((policy) => above.has(policy));
    affect(node.object, alsoAbove, ancestors);
  }
  return affected;
}

function policiesOf<Spec>(stack: Stack<Spec>): ReadonlySet<Policy<Spec>> {
  return new Set(levelsOf(stack).flatMap(({ policies }) => policies));
}

/** Who, of those at a position or above, sets a field beneath it. */
class SettersBeneath<Spec> {
  readonly #entered = new Map<TargetNode, Map<Stack<Spec>, ReadonlySet<Policy<Spec>>>>();
  readonly #contained = new Map<TargetNode, Map<Stack<Spec>, ReadonlySet<Policy<Spec>>>>();

  of({ position, stack }: PlacedPosition<Spec>): Iterable<Policy<Spec>> {
    return (position.entered ? this.#entered : this.#contained).get(position.node)?.get(stack) ?? [];
  }

  set({ position, stack }: PlacedPosition<Spec>, setters: ReadonlySet<Policy<Spec>>): void {
    const all = position.entered ? this.#entered : this.#contained;
    all.set(position.node, (all.get(position.node) ?? new Map()).set(stack, setters));
  }
}
