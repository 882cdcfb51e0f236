import { canBeEntered, type TargetNode } from '@policy-machinery/topology';
import type { Contexts } from '../contexts/contexts.ts';
import type { Stack } from '../contexts/stack.ts';
import type { LevelSlot } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import { allInOrder } from './affected.ts';
import type { ViewState } from './view-state.ts';

/** The policies attached to a target that affect it, by locator, each with a function that returns the parents through which it does. */
export type AttachedAffecting = ReadonlyMap<string, () => ReadonlySet<TargetNode>>;

/**
 * Returns the policies attached to a target that affect it, from the scopes in which they set a field.
 *
 * @returns The policies; `undefined` if scopes do not tell: before they are known, where no policy counts on the target, and where verdicts bar
 * policies from some contexts. O(scopes of these policies).
 */
export function affectingAttached<Spec>(state: ViewState<Spec>, target: TargetNode): AttachedAffecting | undefined {
  const { contexts, hierarchies, kind, levels, scopes, topology } = state;
  const { known } = scopes;
  const slot = levels.at(target).at(-1);
  if (known === undefined || slot === undefined || levels.hasBars) return undefined;
  function* stacksSetBy(policy: string): Iterable<Stack<Spec>> {
    for (const merged of known?.stacksOf(policy) ?? none) {
      const there = upTo(slot as LevelSlot<Spec>, merged);
      if (there !== undefined && hierarchies.of(merged).setters.has(policy)) yield there;
    }
  }
  let arrivals: ReadonlyMap<Stack<Spec>, Parents> | undefined;
  const affecting = new Map<string, () => ReadonlySet<TargetNode>>();
  for (const { locator } of topology.policiesAt(target, kind)) {
    const [first] = stacksSetBy(locator);
    if (first === undefined) continue;
    affecting.set(locator, () => {
      arrivals ??= arrivalsAt(contexts, target);
      const lists = new Set(Array.from(new Set(stacksSetBy(locator)), (stack) => arrivals?.get(stack) ?? none).flat());
      return allInOrder([...lists], target);
    });
  }
  return affecting;
}

/** Lists of targets that link to a target or to its object. */
type Parents = readonly (readonly TargetNode[])[];

/** Returns the part of a stack that ends with a slot; `undefined` if the slot is not in the stack. */
function upTo<Spec>(slot: LevelSlot<Spec>, stack: Stack<Spec>): Stack<Spec> | undefined {
  for (let at: Stack<Spec> | undefined = stack; at !== undefined; at = at.above) if (at.slot === slot) return at;
  return undefined;
}

/** Returns the stacks with which paths reach a target, each with the parents from which they come. */
function arrivalsAt<Spec>({ graph }: Contexts<Spec>, target: TargetNode): ReadonlyMap<Stack<Spec>, Parents> {
  const arrivals = new Map<Stack<Spec>, (readonly TargetNode[])[]>();
  const add = (stack: Stack<Spec>, parents: readonly TargetNode[]): void => {
    const there = arrivals.get(stack);
    if (there === undefined) arrivals.set(stack, [parents]);
    else there.push(parents);
  };
  if (!graph.leadsThere(target)) return arrivals;
  const met = graph.metAt({ node: target, entered: true });
  const entered = target.section === undefined ? target.sections : [target];
  for (const node of [target.object, ...entered.filter(canBeEntered)]) {
    const position = graph.at({ node, entered: true });
    if (position.isCut || position.isEmpty) continue;
    for (const [{ stacks = none }, parents] of graph.parents(position)) {
      for (const stack of stacks) add(graph.after(stack, met), parents);
    }
  }
  return arrivals;
}
