import type { AncestorEntries } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import { none } from '../support/nothing.ts';
import { onlyOne, type TargetSet, TargetSets } from '../support/target-sets.ts';
import type { ContextGraph, Sources } from './context-graph.ts';
import { evaluate } from './evaluate.ts';
import { namedParents } from './named-ancestors.ts';
import type { ContextNode, PositionAncestors, PositionStacks } from './position-stacks.ts';

/**
 * Finds the ancestors that paths lead through, as entries of statuses name them: with sections, or the nearest one only. The topmost target of a
 * path stands in where the path has no ancestor. A position keeps the ancestors strictly above it, since the name of an ancestor depends on the
 * targets below; the root of a path keeps its own object.
 */
export class Ancestors<Spec> {
  readonly #graph: ContextGraph<Spec>;
  readonly #entries: AncestorEntries;
  #sets = new TargetSets();

  constructor(graph: ContextGraph<Spec>, entries: AncestorEntries) {
    this.#graph = graph;
    this.#entries = entries;
  }

  /** Forgets the sets of targets, which may be gone. Sets in use stay unchanged. */
  forgetSets(): void {
    this.#sets = new TargetSets();
  }

  /** Returns the ancestors of all paths to a target through a position; `undefined` if they depend on the stack. O(links above) at first. */
  ofAll(target: TargetNode, position: PositionStacks<Spec>): TargetSet | undefined {
    const above = this.#at(position);
    return isByStack(above) ? undefined : this.#withOwn(target, this.#onTheWay(position, target, above));
  }

  /** Returns the ancestors of the paths to a target through some nodes. O(links above) at first. */
  of(target: TargetNode, contextNodes: readonly ContextNode<Spec>[]): TargetSet {
    let all = this.#sets.empty;
    for (const { position, index } of contextNodes) {
      all = this.#sets.union(all, this.#onTheWay(position, target, this.#with(this.#at(position), index)));
    }
    return this.#withOwn(target, all);
  }

  #at(at: PositionStacks<Spec>): PositionAncestors {
    const start = this.#whereKept(at);
    if (start.ancestors !== undefined) return start.ancestors;
    const sources = new Map<PositionStacks<Spec>, Sources<Spec>>();
    evaluate(
      start,
      ({ ancestors }) => ancestors !== undefined,
      (position) => {
        const ofIt = this.#graph.parents(position);
        sources.set(position, ofIt);
        return ofIt.map(([source]) => this.#whereKept(source));
      },
      (position) => {
        position.ancestors = this.#findAt(position, sources.get(position) ?? none);
        sources.delete(position);
      },
    );
    return start.ancestors ?? this.#sets.empty;
  }

  /** Returns the position that keeps the ancestors: for a section reached from its object, that of the object, whose stacks are in the same order. */
  #whereKept(position: PositionStacks<Spec>): PositionStacks<Spec> {
    return position.entered ? position : this.#graph.at({ node: position.node.object, entered: true });
  }

  /** Finds the ancestors at a position. Usually they are the same for all positions above. */
  #findAt(position: PositionStacks<Spec>, sources: Sources<Spec>): PositionAncestors {
    if (position.isRoot) return this.#standIn(position.node);
    let all: TargetSet | undefined;
    for (const [source, parents] of sources) {
      if (source.isEmpty) continue;
      const above = this.#at(source);
      const come = isByStack(above) ? undefined : this.#through(parents, position.node, above);
      if (come === undefined || (all ?? come) !== come) return this.#findByStack(position, sources);
      all = come;
    }
    return all ?? this.#sets.empty;
  }

  /** Returns what stands in for the ancestors of a path that begins at a target. */
  #standIn({ object }: TargetNode): TargetSet {
    return this.#graph.options.isAncestor(object) ? this.#sets.empty : onlyOne(object);
  }

  /** Finds the ancestors for each stack; returns one set if all stacks have the same. */
  #findByStack(position: PositionStacks<Spec>, sources: Sources<Spec>): PositionAncestors {
    const byStack = (position.stacks ?? none).map(() => this.#sets.empty);
    for (const [source, parents] of sources) {
      const above = this.#at(source);
      for (const [index, stack] of (source.stacks ?? none).entries()) {
        const after = position.indexOf(this.#graph.arriving(stack, position));
        const there = byStack[after];
        if (there === undefined) continue;
        const come = this.#through(parents, position.node, this.#with(above, index));
        byStack[after] = this.#sets.union(come, there);
      }
    }
    const [first = this.#sets.empty] = byStack;
    return byStack.every((set) => set === first) ? first : byStack;
  }

  /** Returns the ancestors of paths that follow links from parents to a child, given the ancestors above the parents. */
  #through(parents: readonly TargetNode[], child: TargetNode, above: TargetSet): TargetSet {
    if (parents.length === 0) return above;
    let all = this.#sets.empty;
    for (const parent of parents) all = this.#sets.union(this.#goingOn(parent, child, above), all);
    return all;
  }

  #goingOn(parent: TargetNode, child: TargetNode, above: TargetSet): TargetSet {
    if (!this.#graph.options.isAncestor(parent.object)) return above;
    const { naming } = this.#entries;
    const before = this.#before(above);
    if (naming !== 'sections') return this.#sets.with(before, parent.object);
    return namedParents(parent, child).reduce((all, named) => this.#sets.with(all, named), before);
  }

  /** Returns the ancestors of paths to a target through a position, which may be right above if paths pass the target to a section. */
  #onTheWay({ node }: PositionStacks<Spec>, target: TargetNode, above: TargetSet): TargetSet {
    return node.object === target.object ? above : this.#goingOn(node, target, above);
  }

  #with(ancestors: PositionAncestors, index: number): TargetSet {
    return isByStack(ancestors) ? (ancestors[index] ?? this.#sets.empty) : ancestors;
  }

  #withOwn(target: TargetNode, above: TargetSet): TargetSet {
    if (!this.#graph.options.isAncestor(target.object)) return above;
    const own = this.#entries.naming === 'sections' ? target : target.object;
    return this.#sets.with(this.#before(above), own);
  }

  /** Returns the ancestors above an ancestor that count beside it: nothing stands in for it. */
  #before(above: TargetSet): TargetSet {
    if (this.#entries.reach === 'nearest') return this.#sets.empty;
    const { isAncestor } = this.#graph.options;
    return [...above]
      .filter(({ object }) => isAncestor(object))
      .reduce((all, it) => this.#sets.with(all, it), this.#sets.empty);
  }
}

function isByStack(ancestors: PositionAncestors): ancestors is readonly TargetSet[] {
  return Array.isArray(ancestors);
}
