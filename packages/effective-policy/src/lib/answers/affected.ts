import type { Policy } from '@policy-machinery/policy-kind';
import type { Position, TargetNode, Topology } from '@policy-machinery/topology';
import { canBeEntered, positionsBefore } from '@policy-machinery/topology/inner';
import type { ContextNode } from '../contexts/context-nodes.ts';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { StackId } from '../contexts/stacks.ts';
import { contextsFrom, nodesThrough } from '../contexts/through.ts';
import { type LevelSlot, policiesIn } from '../levels/level.ts';
import { emptySet, none } from '../support/nothing.ts';

/** A target and the policies that affect it, established first. */
export interface AffectedTarget<Spec> {
  readonly target: TargetNode;
  readonly policies: readonly {
    readonly policy: Policy<Spec>;
    /**
     * The parents on the way from the policy to the target: the targets that link to the target or to its object, in the order of
     * their locators. Empty where paths begin at the target, and for namespaces.
     */
    readonly parents: ReadonlySet<TargetNode>;
  }[];
}

/** The locators of the policies that affect a target, each with the parents on the way. */
export type Affecting = ReadonlyMap<string, ReadonlySet<TargetNode>>;

const nothing: Affecting = new Map();

/** Finds the policies that set a field, by locator. */
export interface Setters {
  /** Whether policies are barred from some contexts only. */
  readonly hasBars: boolean;
  /** Returns the policies that set a field in a context. */
  settersIn(context: ContextAt): ReadonlySet<string>;
  /** Returns which policies set a field in any context with a stack, or with more slots. */
  settersFrom(stack: StackId, policies: ReadonlySet<string>): ReadonlySet<string>;
}

/**
 * Finds the policies that affect targets. A policy affects a target if the policy is attached to the target or above, and sets a field
 * of the effective policy of a context that leads through the target.
 */
export class Affected<Spec> {
  readonly #topology: Topology;
  readonly #contexts: Contexts<Spec>;
  readonly #setters: Setters;

  constructor(topology: Topology, contexts: Contexts<Spec>, setters: Setters) {
    this.#topology = topology;
    this.#contexts = contexts;
    this.#setters = setters;
  }

  /** Returns the policies that affect a target. O(positions below), fewer where all policies above the target set a field soon. */
  of(target: TargetNode): Affecting {
    const affecting = new GatheredPolicies(target);
    if (this.#contexts.positions.leadsThere(target)) this.#affectOnPaths(target, affecting.add);
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
    for (const slot of slots) {
      for (const stack of this.#contexts.positions.arrivals.stacks.endingWith(slot)) {
        const remaining = affecting.without(attached);
        if (remaining.size > 0) affecting.add(this.#setters.settersFrom(stack, remaining));
      }
    }
    if (affecting.size > 0) this.#addParents(target, attached, affecting.add);
    return affecting.all;
  }

  /** Adds the targets that link to a target, or to its object, with the policies attached to the target that set a field on paths from there. */
  #addParents(target: TargetNode, attached: ReadonlySet<string>, affect: Affect): void {
    const { positions } = this.#contexts;
    const { arrivals } = positions;
    const { object, section } = target;
    const met = positions.metAtObject(object);
    const ownStack = section === undefined ? arrivals.stacks.empty : positions.metAt({ node: target, entered: false });
    const settersByStack = new Map<StackId, ReadonlySet<string>>();
    for (const parent of positionsBefore({ node: object, entered: true })) {
      const list = arrivals.push(arrivals.push(positions.through(parent, object), met), ownStack);
      for (const stack of arrivals.stacksOf(list)) {
        const setters = settersByStack.get(stack) ?? this.#setters.settersFrom(stack, attached);
        settersByStack.set(stack, setters);
        affect(setters, [parent.node]);
      }
    }
  }

  /** Returns the policies of a node's stack that set a field there or below. */
  #settersAt(contextNode: ContextNode): ReadonlySet<string> {
    const { stacks } = this.#contexts.positions.arrivals;
    const policies = stacks.policiesOf(contextNode.stack);
    const setters = new Set<string>();
    for (const context of policies.size === 0 ? none : contextsFrom(this.#contexts, [contextNode])) {
      if (!stacks.startsWith(context.stack, contextNode.stack) || !this.#contexts.has(context.target)) continue;
      for (const policy of this.#setters.settersIn(context)) if (policies.has(policy)) setters.add(policy);
      if (setters.size === policies.size) break;
    }
    return setters;
  }

  #affectOnPaths(target: TargetNode, affect: Affect): void {
    for (const position of this.#contexts.positionsOf(target)) {
      for (const contextNode of this.#contexts.nodes.at(position)) affect(this.#settersAt(contextNode));
      if (position.entered) this.#eachArrival(position, (node, parent) => affect(this.#settersAt(node), [parent.node]));
      else this.#affectByObject(position, affect);
    }
    for (const section of target.sections) {
      if (!canBeEntered(section)) continue;
      const position = { node: section, entered: true };
      const above = new Map(
        this.#contexts.nodes.at(position).map((it) => [it.stack, this.#settersAbove(it, section)] as const),
      );
      for (const setters of above.values()) affect(setters);
      this.#eachArrival(position, ({ stack }, { node }) => affect(above.get(stack) ?? none, [node]));
    }
    if (!this.#contexts.isWanted(target)) return;
    for (const contextNode of this.#contexts.passing(target).flatMap((it) => this.#contexts.nodes.at(it))) {
      const context = { target, stack: this.#contexts.passedWith(contextNode.stack, target) };
      affect(this.#setters.settersIn(context), [contextNode.node]);
    }
  }

  /** Returns the policies above a section that set a field at the section or below. */
  #settersAbove(contextNode: ContextNode, section: TargetNode): ReadonlySet<string> {
    const setters = this.#settersAt(contextNode);
    if (setters.size === 0 || this.#contexts.slotsAt(section).length === 0) return setters;
    const slots = this.#contexts.positions.arrivals.stacks.slotsOf(contextNode.stack);
    const above = new Set(slots.filter(({ target }) => target !== section).flatMap(locatorsOf));
    return new Set([...setters].filter((policy) => above.has(policy)));
  }

  /** Visits the nodes of a position, each with the nodes right above that lead to it; some nodes more than once. */
  #eachArrival(position: Position, visit: (contextNode: ContextNode, parent: ContextNode) => void): void {
    for (const previous of positionsBefore(position)) {
      for (const parent of this.#contexts.nodes.at(previous))
        for (const contextNode of this.#contexts.nodes.nodeAfter(parent, position)) visit(contextNode, parent);
    }
  }

  /** Adds the policies that affect a section by paths through its object: the parents are the object's. */
  #affectByObject(position: Position, affect: Affect): void {
    this.#eachArrival(position, (contextNode, atObject) => {
      const setters = this.#settersAt(contextNode);
      if (setters.size === 0) return;
      const nodesBefore = this.#contexts.nodes.before(atObject);
      affect(
        setters,
        nodesBefore.map(({ node }) => node),
      );
    });
  }

  /** Adds the policies attached to a container that affect a member of it. */
  #affectAround(target: TargetNode, affect: Affect): void {
    const remaining = new Set(this.#contexts.slotsAt(target).flatMap(locatorsOf));
    const gather = (policies: Iterable<string>): void => {
      for (const policy of policies) if (remaining.delete(policy)) affect([policy]);
    };
    for (const member of this.#topology.membersOf(target)) {
      if (remaining.size === 0) return;
      if (!this.#contexts.positions.leadsThere(member)) continue;
      for (const contextNode of nodesThrough(this.#contexts, member, target)) gather(this.#settersAt(contextNode));
      for (const stack of this.#contexts.stacksOf(member)) {
        if (this.#contexts.positions.arrivals.stacks.isThrough(stack, target))
          gather(this.#setters.settersIn({ target: member, stack }));
      }
    }
  }
}

/** Returns lists of parents of a target as one set, in the order of their locators. */
function allInOrder(lists: readonly (readonly TargetNode[])[], target: TargetNode): ReadonlySet<TargetNode> {
  const [first, ...others] = lists;
  if (first === undefined) return emptySet;
  if (others.length === 0 && first.length === 1) return new Set(first);
  const parents = new Set(first);
  const links = linksInto(target); // They are in order.
  if (others.length === 0 && isPartOf(first, links)) return parents;
  for (const list of others) for (const parent of list) parents.add(parent);
  const linked = links.filter((parent) => parents.has(parent));
  if (linked.length === parents.size) return new Set(linked);
  const named = Array.from(parents, (parent) => [parent.locator, parent] as const); // A locator is formatted each time it is read.
  return new Set(named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, parent]) => parent));
}

/** Returns whether all items of a list are in another list, in the same order. */
function isPartOf(some: readonly unknown[], list: readonly unknown[]): boolean {
  let matched = 0;
  for (const item of list) if (item === some[matched]) matched += 1;
  return matched === some.length;
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
      const parentLists = this.#parents.get(policy);
      if (parentLists === undefined) this.#parents.set(policy, parents.length === 0 ? [] : [parents]);
      else if (parents.length > 0 && parentLists.at(-1) !== parents) parentLists.push(parents);
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
