import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import { evaluate } from '../contexts/evaluate.ts';
import type { ContextNode } from '../contexts/position-stacks.ts';
import { policiesOf } from '../contexts/stack.ts';
import { emptySet } from '../support/nothing.ts';

/** Finds the policies that set a field in a context, by locator. */
export interface ContextSetters<Spec> {
  settersIn(context: ContextAt<Spec>): ReadonlySet<string>;
}

/**
 * Finds the policies of a context node that set a field there or below. The answer is kept with the node, by locator, so it survives edits of
 * policies.
 */
export class ContextNodeSetters<Spec> {
  readonly #contexts: Contexts<Spec>;
  readonly #setters: ContextSetters<Spec>;

  constructor(contexts: Contexts<Spec>, setters: ContextSetters<Spec>) {
    this.#contexts = contexts;
    this.#setters = setters;
  }

  /** Returns the setters at a node. O(direct children), once the answers for all positions below are known. */
  at(contextNode: ContextNode<Spec>): ReadonlySet<string> {
    if (contextNode.setters === undefined) this.#findAt(contextNode);
    return contextNode.setters ?? emptySet;
  }

  #findAt(contextNode: ContextNode<Spec>): void {
    evaluate(
      contextNode,
      ({ setters }) => setters !== undefined,
      (it) => this.#contexts.after(it),
      (it, below) => {
        it.setters = this.#find(it, below);
      },
    );
  }

  #find(contextNode: ContextNode<Spec>, below: readonly ContextNode<Spec>[]): ReadonlySet<string> {
    const { stack, position } = contextNode;
    const all = policiesOf(stack);
    let found: ReadonlySet<string> = emptySet;
    const add = (setters: ReadonlySet<string>): void => {
      if (found.size < all.size) found = unionAmong(all, found, setters);
    };
    // Then each of its nodes is a context, unless there are too many.
    if (this.#contexts.of(position.node).length > 0) add(this.#setters.settersIn({ target: position.node, stack }));
    for (const { setters = emptySet } of below) add(setters);
    for (const passed of this.#contexts.passedFrom(contextNode)) add(this.#setters.settersIn(passed));
    return found;
  }
}

/** Returns some items, with the other items that are in `all`. Returns one of the given sets where that has all items. */
function unionAmong<Item>(
  all: ReadonlySet<Item>,
  some: ReadonlySet<Item>,
  others: ReadonlySet<Item>,
): ReadonlySet<Item> {
  const more = Array.from(others).filter((item) => all.has(item) && !some.has(item));
  if (more.length === 0) return some;
  return more.length === others.size && some.size === 0 ? others : new Set([...some, ...more]);
}
