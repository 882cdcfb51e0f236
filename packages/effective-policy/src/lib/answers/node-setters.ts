import { linksAfter, type TargetNode } from '@policy-machinery/topology';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { ContextNode, PositionStacks } from '../contexts/position-stacks.ts';
import { policiesOf } from '../contexts/stack.ts';
import { emptySet } from '../support/nothing.ts';

/** Finds the policies that set a field in a context, by locator. */
export interface ContextSetters<Spec> {
  /** Whether the answer depends on the stack alone, and not on own values of the target. */
  readonly areByStack: boolean;
  settersIn(context: ContextAt<Spec>): ReadonlySet<string>;
}

/**
 * Finds the policies of a context node that set a field there or below. The answer is kept with the node, by locator, so it survives edits of
 * policies. All nodes of a position are searched at once, and a search goes down only while the answer for some policy is open.
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
    if (contextNode.setters === undefined) this.#findAt(contextNode.position);
    return contextNode.setters ?? emptySet;
  }

  /** Searches a position and those below, without recursion: topologies may be deep. */
  #findAt(start: PositionStacks<Spec>): void {
    const searches: Search<Spec>[] = [];
    this.#begin(start, searches);
    for (let search = searches.at(-1); search !== undefined; search = searches.at(-1)) {
      search.next ??= this.#nextOf(search);
      if (search.next === undefined) {
        for (const { contextNode, found } of search.open) contextNode.setters = found;
        searches.pop();
      } else if (this.#gather(search, search.next)) search.next = undefined;
      else this.#begin(search.next, searches); // It is gathered once that search has ended.
    }
  }

  /** Begins the search of a position with the setters at the position itself. Positions below are searched while policies are open. */
  #begin(position: PositionStacks<Spec>, searches: Search<Spec>[]): void {
    const { node, nodes = [] } = position;
    const isContext = this.#contexts.of(node).length > 0; // Then each of its nodes is a context, unless there are too many.
    const open: OpenNode<Spec>[] = [];
    for (const contextNode of nodes) {
      if (contextNode.setters !== undefined) continue;
      const found = isContext ? this.#setters.settersIn({ target: node, stack: contextNode.stack }) : emptySet;
      if (isAll(found, contextNode)) contextNode.setters = found;
      else open.push({ contextNode, found });
    }
    if (open.length === 0) return;
    searches.push({
      open,
      sections: node.sections,
      links: linksAfter(position),
      at: 0,
      hasLast: false,
      next: undefined,
    });
  }

  /** Returns the next position below to search; `undefined` if none is left, or no policy is open. */
  #nextOf(search: Search<Spec>): PositionStacks<Spec> | undefined {
    const { graph } = this.#contexts;
    const { sections, links } = search;
    while (search.open.length > 0 && search.at < sections.length + links.length) {
      const section = sections[search.at];
      const node = section ?? links[search.at - sections.length];
      search.at += 1;
      if (node === undefined || !graph.leadsThere(node)) continue;
      if (section === undefined || this.#contexts.leadsOn(section))
        return graph.at({ node, entered: section === undefined });
      this.#addLast(search, section);
    }
    return undefined;
  }

  /** Adds the setters at a section where all paths end. Usually the section has the same contexts as others of its object. */
  #addLast(search: Search<Spec>, section: TargetNode): void {
    if (this.#contexts.of(section).length === 0) return;
    const met = this.#contexts.slotsAt(section);
    const isLikeOthers = met.length === 0 && this.#setters.areByStack;
    if (isLikeOthers && search.hasLast) return;
    search.hasLast ||= isLikeOthers;
    for (const it of search.open) {
      const stack = this.#contexts.graph.after(it.contextNode.stack, met);
      this.#add(it, this.#setters.settersIn({ target: section, stack }));
    }
    closeFound(search);
  }

  /** Adds the setters at a position below, and further down. Returns `false` if that position has to be searched first. */
  #gather(search: Search<Spec>, next: PositionStacks<Spec>): boolean {
    const { graph } = this.#contexts;
    const { node, entered } = next;
    const passesObject = entered && node.section !== undefined && this.#contexts.isWanted(node.object);
    for (const it of search.open) {
      if (passesObject) {
        const stack = graph.after(graph.leaving(it.contextNode.stack), graph.metAtObject(node.object));
        this.#add(it, this.#setters.settersIn({ target: node.object, stack }));
      }
      const contextNode = this.#contexts.nodeAfter(it.contextNode, next);
      if (contextNode === undefined) continue;
      if (contextNode.setters === undefined) return false;
      this.#add(it, contextNode.setters);
    }
    closeFound(search);
    return true;
  }

  #add(it: OpenNode<Spec>, setters: ReadonlySet<string>): void {
    it.found = unionAmong(policiesOf(it.contextNode.stack), it.found, setters);
    if (isAll(it.found, it.contextNode)) it.contextNode.setters = it.found;
  }
}

function closeFound<Spec>(search: Search<Spec>): void {
  if (search.open.every(({ contextNode }) => contextNode.setters === undefined)) return;
  search.open = search.open.filter(({ contextNode }) => contextNode.setters === undefined);
}

function isAll<Spec>(found: ReadonlySet<string>, { stack }: ContextNode<Spec>): boolean {
  return found.size === policiesOf(stack).size;
}

/** The search of one position. */
interface Search<Spec> {
  /** The nodes with policies for which the answer is open. */
  open: readonly OpenNode<Spec>[];
  /** The sections that paths go on into, before they follow links. */
  readonly sections: readonly TargetNode[];
  readonly links: readonly TargetNode[];
  /** The number of sections and links that have been searched. */
  at: number;
  /** Whether a section where all paths end, and to which no policy is attached, has been searched: others are like it. */
  hasLast: boolean;
  /** The position that is being searched. */
  next: PositionStacks<Spec> | undefined;
}

interface OpenNode<Spec> {
  readonly contextNode: ContextNode<Spec>;
  /** The setters found so far. */
  found: ReadonlySet<string>;
}

/** Returns some items, with the other items that are in `all`. Returns one of the given sets where that has all items. */
function unionAmong<Item>(
  all: ReadonlySet<Item>,
  some: ReadonlySet<Item>,
  others: ReadonlySet<Item>,
): ReadonlySet<Item> {
  if (some === others) return some;
  let more: Item[] | undefined;
  for (const item of others) {
    if (!all.has(item) || some.has(item)) continue;
    more ??= [];
    more.push(item);
  }
  if (more === undefined) return some;
  return more.length === others.size && some.size === 0 ? others : new Set([...some, ...more]);
}
