import { linksAfter, type TargetNode } from '@policy-machinery/topology';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { ContextNode, PositionStacks } from '../contexts/position-stacks.ts';
import { policiesOf } from '../contexts/stack.ts';
import { emptySet } from '../support/empty-set.ts';

/** Knows who sets a field in a context: policies of its levels, by their locators. */
export interface ContextSetters<Spec> {
  /** Whether that depends on the stack alone, and not on what the target says itself. */
  readonly areByStack: boolean;
  settersIn(context: ContextAt<Spec>): ReadonlySet<string>;
}

/**
 * Who of the policies that paths have met sets something where they stand, or further down. It is kept with the nodes, by locators, so
 * that it stays when policies are edited; and found for all nodes of a position at once, going down only for as long as there is somebody of
 * whom it is not known yet.
 */
export class ContextNodeSetters<Spec> {
  readonly #contexts: Contexts<Spec>;
  readonly #setters: ContextSetters<Spec>;

  constructor(contexts: Contexts<Spec>, setters: ContextSetters<Spec>) {
    this.#contexts = contexts;
    this.#setters = setters;
  }

  /** Who does at a node. O(what is directly below its position), when all further down is known. */
  at(contextNode: ContextNode<Spec>): ReadonlySet<string> {
    if (contextNode.setters === undefined) this.#findAt(contextNode.position);
    return contextNode.setters ?? emptySet;
  }

  /** Goes downwards without recursion: topologies may be deep. */
  #findAt(start: PositionStacks<Spec>): void {
    const searches: Search<Spec>[] = [];
    this.#begin(start, searches);
    for (let search = searches.at(-1); search !== undefined; search = searches.at(-1)) {
      search.next ??= this.#nextOf(search);
      if (search.next === undefined) {
        for (const { contextNode, found } of search.open) contextNode.setters = found;
        searches.pop();
      } else if (this.#gather(search, search.next)) search.next = undefined;
      else this.#begin(search.next, searches); // Then it is gathered from.
    }
  }

  /** Takes down who sets something right there. What is below is searched if that is not everybody who has been met. */
  #begin(position: PositionStacks<Spec>, searches: Search<Spec>[]): void {
    const { node, nodes = [] } = position;
    const isContext = this.#contexts.of(node).length > 0; // All that come there are, unless they are too many.
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

  /** The next position below, if there is anything left to find there. */
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

  /** Adds those who set something at a section from which no path goes on: usually in the very same contexts as in others of its object. */
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

  /** Adds those who set something at a position below, or further down; `false` if that is not known yet. */
  #gather(search: Search<Spec>, next: PositionStacks<Spec>): boolean {
    const { graph } = this.#contexts;
    const { node, entered } = next;
    const passesObject = entered && node.section !== undefined && this.#contexts.isWanted(node.object);
    for (const it of search.open) {
      if (passesObject) {
        const stack = graph.after(it.contextNode.stack, graph.metAtObject(node.object));
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

/** What is being found for a position. */
interface Search<Spec> {
  /** The nodes of which not all is known. */
  open: readonly OpenNode<Spec>[];
  /** Where paths go on: into sections, and then along links. */
  readonly sections: readonly TargetNode[];
  readonly links: readonly TargetNode[];
  /** How many of these have been looked at. */
  at: number;
  /** Whether a section has been looked at that is like others from which no path goes on. */
  hasLast: boolean;
  /** The one that is being looked at. */
  next: PositionStacks<Spec> | undefined;
}

interface OpenNode<Spec> {
  readonly contextNode: ContextNode<Spec>;
  /** Who sets something, as far as is known. */
  found: ReadonlySet<string>;
}

/** Some items, and those of others that are among all: the very set of these, or of the others, where that is so. */
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
