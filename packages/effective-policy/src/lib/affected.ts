import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { Contexts, PlacedPosition } from './contexts.ts';
import { levelsOf, type Stack } from './stack.ts';

/** A target and the policies that affect it, established first. */
export interface AffectedTarget<Spec> {
  readonly target: TargetNode;
  readonly policies: readonly {
    readonly policy: Policy<Spec>;
    /**
     * Where the paths come from on which it does: the targets from which links lead to this one, or to its object. Empty
     * where paths begin here, and for namespaces. By locator.
     */
    readonly parents: ReadonlySet<TargetNode>;
  }[];
}

/** The policies that have an effect on each target, each with the targets from which paths come on which it has. */
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
  const affect = (target: TargetNode, policies: Iterable<Policy<Spec>>, parent?: TargetNode): void => {
    for (const policy of policies) {
      const there = affected.get(target) ?? new Map<Policy<Spec>, Set<TargetNode>>();
      affected.set(target, there);
      const parents = there.get(policy) ?? new Set();
      there.set(policy, parents);
      if (parent !== undefined) parents.add(parent);
    }
  };
  const inContext = (target: TargetNode, stack: Stack<Spec>, parent?: TargetNode): ReadonlySet<Policy<Spec>> => {
    if (stack.level === undefined) return new Set();
    const setters = settersOf(target, stack);
    affect(target, setters, parent);
    for (const level of levelsOf(stack)) {
      const onIt = level.policies.filter((policy) => setters.has(policy));
      affect(level.target, onIt);
    }
    return setters;
  };

  const beneath = new PartsByPosition<Spec>();
  for (const { position, stack, next, passed, isWanted } of contexts.backwards()) {
    const { node, entered } = position;
    const policies = policiesOf(stack);
    const setters = new Set<Policy<Spec>>();
    const parts = new Map<TargetNode, ReadonlySet<Policy<Spec>>>([[node, setters]]);
    const gather = (found: Iterable<Policy<Spec>>): void => {
      for (const policy of found) if (policies.has(policy)) setters.add(policy);
    };
    if (isWanted) gather(inContext(node, stack));
    for (const { target, stack: there } of passed) gather(inContext(target, there, node));
    for (const following of next) {
      const its = beneath.of(following);
      gather(its.get(following.position.node) ?? []);
      for (const [part, onIt] of its) {
        if (following.position.entered) affect(part, onIt, node);
        else parts.set(part, onIt);
      }
    }
    affect(node, setters);
    if (entered && node.section !== undefined) {
      const above = new Set(levelsOf(stack).flatMap(({ target, policies: its }) => (target === node ? [] : its)));
      const alsoAbove = new Set([...setters].filter((policy) => above.has(policy)));
      affect(node.object, alsoAbove);
      parts.set(node.object, alsoAbove);
    }
    beneath.set({ position, stack }, parts);
  }
  return affected;
}

function policiesOf<Spec>(stack: Stack<Spec>): ReadonlySet<Policy<Spec>> {
  return new Set(levelsOf(stack).flatMap(({ policies }) => policies));
}

/** The parts of one object that a path comes upon together, and who affects each. */
type Parts<Spec> = ReadonlyMap<TargetNode, ReadonlySet<Policy<Spec>>>;

/** What is known of the positions that have been gone through. */
class PartsByPosition<Spec> {
  readonly #entered = new Map<TargetNode, Map<Stack<Spec>, Parts<Spec>>>();
  readonly #contained = new Map<TargetNode, Map<Stack<Spec>, Parts<Spec>>>();

  of({ position, stack }: PlacedPosition<Spec>): Parts<Spec> {
    return (position.entered ? this.#entered : this.#contained).get(position.node)?.get(stack) ?? new Map();
  }

  set({ position, stack }: PlacedPosition<Spec>, parts: Parts<Spec>): void {
    const all = position.entered ? this.#entered : this.#contained;
    all.set(position.node, (all.get(position.node) ?? new Map()).set(stack, parts));
  }
}
