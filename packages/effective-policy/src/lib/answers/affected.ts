import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { canBeEntered } from '@policy-machinery/topology';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { ContextNode, PositionStacks } from '../contexts/position-stacks.ts';
import { isThrough, policiesOf, type Stack, slotsOf, startsWith } from '../contexts/stack.ts';
import { contextsFrom } from '../contexts/through.ts';
import { type LevelSlot, policiesIn } from '../levels/level.ts';
import { emptySet, none } from '../support/nothing.ts';
import { onlyOne } from '../support/target-sets.ts';

/** A target and the policies that affect it, established first. */
export interface AffectedTarget<Spec> {
  readonly target: TargetNode;
  readonly policies: readonly {
    readonly policy: Policy<Spec>;
    /**
     * The parents through which the policy affects the target: the targets that link to the target or to its object, in the order of
     * their locators. Empty where paths begin at the target, and for namespaces.
     */
    readonly parents: ReadonlySet<TargetNode>;
  }[];
}

/** The locators of the policies that affect a target, each with the parents through which it does. */
export type Affecting = ReadonlyMap<string, ReadonlySet<TargetNode>>;

const nothing: Affecting = new Map();

/** Finds the policies that set a field, by locator. */
export interface Setters<Spec> {
  /** Whether policies are barred from some contexts only. */
  readonly hasBars: boolean;
  /** Returns the policies that set a field in a context. */
  settersIn(context: ContextAt<Spec>): ReadonlySet<string>;
  /** Returns which policies set a field in any context with a stack, or with more slots. */
  settersFrom(stack: Stack<Spec>, policies: ReadonlySet<string>): ReadonlySet<string>;
}

/**
 * Finds the policies that affect targets. A policy affects a target if the policy is attached to the target or above, and sets a field
 * of the effective policy of a context that leads through the target.
 */
export class Affected<Spec> {
  readonly #topology: Topology;
  readonly #contexts: Contexts<Spec>;
  readonly #setters: Setters<Spec>;

  constructor(topology: Topology, contexts: Contexts<Spec>, setters: Setters<Spec>) {
    this.#topology = topology;
    this.#contexts = contexts;
    this.#setters = setters;
  }

  /** Returns the policies that affect a target. O(positions below), fewer where all policies above the target set a field soon. */
  of(target: TargetNode): Affecting {
    const affecting = new GatheredPolicies(target);
    if (this.#contexts.graph.leadsThere(target)) this.#affectOnPaths(target, affecting.add);
    this.#affectAround(target, affecting.add);
    return affecting.all;
  }

  /**
   * Returns the policies attached to a target that affect it. All stacks with their slots are of paths through the target, so no path is
   * followed. O(scopes of these policies), fewer if all set a field soon.
   */
  attachedTo(target: TargetNode): Affecting {
    const slots = this.#contexts.slotsAt(target);
    if (slots.length === 0) return nothing;
    const attached = new Set(slots.flatMap(locatorsOf));
    if (attached.size === 0) return nothing;
    if (this.#setters.hasBars || target.object.linkedSections > 0)
      return new Map([...this.of(target)].filter(([policy]) => attached.has(policy)));
    const affecting = new GatheredPolicies(target);
    const { stacks } = this.#contexts.graph;
    for (const slot of slots) {
      stacks.visitEnding(slot, (stack) => {
        const left = affecting.without(attached);
        if (left.size > 0) affecting.add(this.#setters.settersFrom(stack, left));
      });
    }
    if (affecting.size > 0) this.#addParents(target, attached, affecting.add);
    return affecting.all;
  }

  /** Adds the targets that link to a target, or to its object, with the policies attached to the target that set a field on paths from there. */
  #addParents(target: TargetNode, attached: ReadonlySet<string>, affect: Affect): void {
    const { graph } = this.#contexts;
    const position = graph.at({ node: target.object, entered: true });
    const met = target.section === undefined ? none : this.#contexts.slotsAt(target);
    const found = new Map<Stack<Spec>, ReadonlySet<string>>();
    for (const [{ stacks = none }, parents] of graph.parents(position)) {
      for (const before of stacks) {
        const stack = graph.after(graph.arriving(before, position), met);
        const setters = found.get(stack) ?? this.#setters.settersFrom(stack, attached);
        found.set(stack, setters);
        affect(setters, parents);
      }
    }
  }

  /** Returns the policies of a node's stack that set a field there or below. */
  #settersAt(contextNode: ContextNode<Spec>): ReadonlySet<string> {
    const policies = policiesOf(contextNode.stack);
    const setters = new Set<string>();
    for (const context of policies.size === 0 ? none : contextsFrom(this.#contexts, [contextNode])) {
      if (this.#contexts.of(context.target).length === 0 || !startsWith(context.stack, contextNode.stack)) continue;
      for (const policy of this.#setters.settersIn(context)) if (policies.has(policy)) setters.add(policy);
      if (setters.size === policies.size) break;
    }
    return setters;
  }

  #affectOnPaths(target: TargetNode, affect: Affect): void {
    const contexts = this.#contexts;
    for (const position of contexts.positionsOf(target)) {
      for (const contextNode of position.nodes ?? none) affect(this.#settersAt(contextNode));
      if (position.entered)
        this.#eachArrival(position, (contextNode, parents) => affect(this.#settersAt(contextNode), parents));
      else this.#affectByObject(position, affect);
    }
    for (const section of target.sections) {
      if (!canBeEntered(section)) continue;
      const position = contexts.graph.at({ node: section, entered: true });
      const above = new Map(
        (position.nodes ?? none).map((contextNode) => [contextNode, this.#settersAbove(contextNode, section)]),
      );
      for (const setters of above.values()) affect(setters);
      this.#eachArrival(position, (contextNode, parents) => affect(above.get(contextNode) ?? none, parents));
    }
    for (const { position, stack } of this.#passes(target)) {
      const there = contexts.graph.after(contexts.graph.leaving(stack), contexts.graph.metAtObject(target));
      affect(this.#setters.settersIn({ target, stack: there }), [position.node]);
    }
  }

  /** Returns the nodes from which paths pass through an effective target into one of its sections. */
  #passes(target: TargetNode): readonly ContextNode<Spec>[] {
    if (!this.#contexts.isWanted(target)) return [];
    return this.#contexts.passing(target).flatMap(({ nodes = [] }) => nodes);
  }

  /** Returns the policies above a section that set a field at the section or below. */
  #settersAbove(contextNode: ContextNode<Spec>, section: TargetNode): ReadonlySet<string> {
    const setters = this.#settersAt(contextNode);
    if (setters.size === 0 || this.#contexts.slotsAt(section).length === 0) return setters;
    const slots = slotsOf(contextNode.stack).filter(({ target }) => target !== section);
    const above = new Set(slots.flatMap(locatorsOf));
    return new Set([...setters].filter((policy) => above.has(policy)));
  }

  /** Visits the nodes of an entered position, with the targets that link to it; some nodes more than once. */
  #eachArrival(
    position: PositionStacks<Spec>,
    visit: (contextNode: ContextNode<Spec>, parents: readonly TargetNode[]) => void,
  ): void {
    for (const [source, parents] of this.#contexts.graph.parents(position)) {
      for (const before of source.nodes ?? none) {
        const contextNode = this.#contexts.nodeAfter(before, position);
        if (contextNode !== undefined) visit(contextNode, parents);
      }
    }
  }

  /** Adds the policies that affect a section by paths through its object: the parents are those of the object. */
  #affectByObject(position: PositionStacks<Spec>, affect: Affect): void {
    for (const [contextNode, atObject] of this.#contexts.arrivals(position)) {
      const setters = this.#settersAt(contextNode);
      if (setters.size === 0) continue;
      const before = this.#contexts.before(atObject);
      affect(
        setters,
        before.map(({ position: { node } }) => node),
      );
    }
  }

  /** Adds the policies attached to a namespace that affect a member of it. */
  #affectAround(target: TargetNode, affect: Affect): void {
    const left = new Set(this.#contexts.slotsAt(target).flatMap(locatorsOf));
    const gather = (policies: Iterable<string>): void => {
      for (const policy of policies) if (left.delete(policy)) affect([policy]);
    };
    for (const member of this.#topology.membersOf(target)) {
      if (left.size === 0) return;
      if (!this.#contexts.graph.leadsThere(member)) continue;
      for (const { nodes = [] } of this.#contexts.arrivalsAt(member)) {
        for (const contextNode of nodes) if (isThrough(contextNode.stack, target)) gather(this.#settersAt(contextNode));
      }
      for (const stack of this.#contexts.of(member)) {
        if (isThrough(stack, target)) gather(this.#setters.settersIn({ target: member, stack }));
      }
    }
  }
}

/** Returns lists of parents of a target as one set, in the order of their locators. */
function allInOrder(lists: readonly (readonly TargetNode[])[], target: TargetNode): ReadonlySet<TargetNode> {
  const [first, ...others] = lists;
  if (first === undefined) return emptySet;
  if (others.length === 0 && first.length === 1) return onlyOne(first[0] as TargetNode);
  const all = new Set(first);
  const links = linksInto(target); // They are in order.
  if (others.length === 0 && isPartOf(first, links)) return all;
  for (const list of others) for (const parent of list) all.add(parent);
  const linked = links.filter((parent) => all.has(parent));
  if (linked.length === all.size) return new Set(linked);
  const named = Array.from(all, (parent) => [parent.locator, parent] as const); // A locator is formatted each time it is read.
  return new Set(named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, parent]) => parent));
}

/** Returns whether all items of a list are in another list, in the same order. */
function isPartOf(some: readonly unknown[], all: readonly unknown[]): boolean {
  let found = 0;
  for (const item of all) if (item === some[found]) found += 1;
  return found === some.length;
}

/** Returns the targets that link to a target; if only one section is linked, those that link to the section. */
function linksInto({ linksFrom, sections, linkedSections }: TargetNode): readonly TargetNode[] {
  const isOne = linksFrom.length === 0 && linkedSections === 1;
  return (isOne ? sections.find((section) => section.linksFrom.length > 0)?.linksFrom : undefined) ?? linksFrom;
}

function locatorsOf({ level }: LevelSlot<unknown>): readonly string[] {
  return policiesIn(level).map(({ locator }) => locator);
}

/** The policies that affect a target, while they are found. */
class GatheredPolicies {
  readonly #target: TargetNode;
  /** The lists of parents, by policy. */
  readonly #parents = new Map<string, (readonly TargetNode[])[]>();

  constructor(target: TargetNode) {
    this.#target = target;
  }

  readonly add: Affect = (policies, parents = none) => {
    for (const policy of policies) {
      const known = this.#parents.get(policy);
      if (known === undefined) this.#parents.set(policy, parents.length === 0 ? [] : [parents]);
      else if (parents.length > 0 && known.at(-1) !== parents) known.push(parents);
    }
  };

  get size(): number {
    return this.#parents.size;
  }

  /** Returns some policies without those that have been found. */
  without(policies: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...policies].filter((policy) => !this.#parents.has(policy)));
  }

  get all(): Affecting {
    return new Map(Array.from(this.#parents, ([policy, lists]) => [policy, allInOrder(lists, this.#target)]));
  }
}

type Affect = (policies: Iterable<string>, parents?: readonly TargetNode[]) => void;
