import {
  isSectionKind,
  type Position,
  positionsBefore,
  type TargetKind,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import type { Level, LevelSlot } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import { isSameList } from '../support/same.ts';
import { evaluate } from './evaluate.ts';
import { HeldStacks } from './held-stacks.ts';
import { PositionStacks } from './position-stacks.ts';
import { type Stack, Stacks } from './stack.ts';
import type { WalkOptions } from './walk-options.ts';

/**
 * The maximum number of stacks of a target, and for each link to the target. Usually there are at most as many stacks as links. Chains of
 * links multiply stacks, and each target below has all of them again.
 */
const most = { stacks: 256, perLink: 64 };

/** The positions right above a position, each with the targets that link to it. */
export type Sources<Spec> = readonly (readonly [source: PositionStacks<Spec>, parents: readonly TargetNode[]])[];

/** Up to this number, duplicate positions cost less than a set of positions. */
const few = 8;

/**
 * Finds the stacks of positions, from the position in question upwards, and keeps them. The search follows stacks, not paths: targets without
 * policies add nothing to a stack, so a graph with 2^40 paths and few policies costs no more than its links.
 */
export class ContextGraph<Spec> {
  readonly options: WalkOptions<Spec>;
  readonly stacks = new Stacks<Spec>();
  /** The stacks without barred policies. */
  readonly held: HeldStacks<Spec>;
  readonly #topology: Topology;
  /** The positions that paths reach by a link, and those that they reach by containment. */
  readonly #entered = new Map<TargetNode, PositionStacks<Spec>>();
  readonly #contained = new Map<TargetNode, PositionStacks<Spec>>();
  readonly #leads = new Map<TargetKind, boolean>();

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#topology = topology;
    this.options = options;
    this.held = new HeldStacks(this.stacks, options.levelWith);
  }

  /** Returns a position with its stacks. O(links above × stacks) at first. */
  at({ node, entered }: Position): PositionStacks<Spec> {
    const position = this.#positionAt(node, entered);
    if (position.stacks === undefined) this.#find(position);
    return position;
  }

  /**
   * Returns the stacks with which paths reach an object, or a section from its object; `undefined` if there are too many.
   */
  stacksByObject(target: TargetNode): readonly Stack<Spec>[] | undefined {
    const { stacks = none, isCut } = this.at({ node: target.object, entered: true });
    if (isCut || stacks.length > this.options.maxContexts) return undefined;
    if (target.section === undefined) return stacks;
    const met = this.options.slotsAt(target);
    const after = this.#allAfter(stacks, met);
    return this.#isTooLarge(after, met) ? undefined : after;
  }

  /** Forgets a position with all that is known about it. */
  forget({ node, entered }: Position): void {
    (entered ? this.#entered : this.#contained).delete(node);
  }

  /** Returns the positions right above a position. */
  before(position: PositionStacks<Spec>): readonly PositionStacks<Spec>[] {
    return this.#before(position).map((before) => this.at(before));
  }

  /**
   * Returns the positions right above a position, or positions further up with the same stacks and ancestors: usually fewer than
   * {@link before}.
   */
  sources(position: PositionStacks<Spec>): readonly PositionStacks<Spec>[] {
    return this.#sourcesOf(position).map((source) => this.at(source));
  }

  /** Returns the {@link sources} of an entered position, each with the targets that link to it. */
  parents({ node }: PositionStacks<Spec>): Sources<Spec> {
    const sources: [PositionStacks<Spec>, TargetNode[]][] = [];
    const add = (source: PositionStacks<Spec>, parent: TargetNode): void => {
      const last = sources.at(-1);
      if (last?.[0] === source) last[1].push(parent);
      else sources.push([this.at(source), [parent]]);
    };
    if (!isPlainlyLinked(node)) for (const before of this.#before({ node, entered: true })) add(before, before.node);
    else for (const parent of node.linksFrom) add(this.#sourceOf(parent), parent);
    return sources;
  }

  /** Returns whether targets of a kind, or those below them, can be effective targets. */
  leadsThere({ object }: TargetNode): boolean {
    const kind = object.kind as TargetKind;
    const known = this.#leads.get(kind);
    if (known !== undefined) return known;
    const leads = this.options.wanted.some((it) => this.#topology.leadsTo(kind, isSectionKind(it) ? it.of : it));
    this.#leads.set(kind, leads);
    return leads;
  }

  /** Forgets which kinds lead to effective targets, since a change may have linked more kinds. */
  forgetKinds(): void {
    this.#leads.clear();
  }

  /** Returns the slots that a path adds on arriving at a position: those of the namespace, the object and the section. */
  metAt({ node, entered }: Position): readonly LevelSlot<Spec>[] {
    const { slotsAt } = this.options;
    if (!entered) return slotsAt(node);
    const object = this.metAtObject(node.object);
    if (node.section === undefined) return object;
    const own = slotsAt(node);
    return own.length === 0 ? object : object.concat(own);
  }

  /** Returns the slots that a path adds on arriving at an object. */
  metAtObject(object: TargetNode): readonly LevelSlot<Spec>[] {
    const { slotsAt, hasNamespaceLevel } = this.options;
    const { namespace } = object;
    const own = slotsAt(object);
    if (namespace === undefined) return own;
    const around = slotsAt(namespace);
    if (around.length === 0 || !hasNamespaceLevel(object)) return own;
    return own.length === 0 ? around : around.concat(own); // A concatenated list has no spare capacity: it is kept.
  }

  /** Returns a path's stack on arrival at a position, from its stack right above. */
  arriving(stack: Stack<Spec>, { entered, met }: PositionStacks<Spec>): Stack<Spec> {
    return this.after(entered ? this.leaving(stack) : stack, met);
  }

  /** Returns a path's stack when it leaves an object. */
  leaving(stack: Stack<Spec>): Stack<Spec> {
    return this.options.isDirect ? this.stacks.withoutPolicies(stack) : stack;
  }

  /** Returns a stack with more slots. */
  after(stack: Stack<Spec>, met: readonly LevelSlot<Spec>[]): Stack<Spec> {
    let after = stack;
    for (const slot of met) after = this.stacks.push(after, slot);
    return after;
  }

  /** Returns stacks with more slots. They stay distinct, and in the same order. */
  #allAfter(stacks: readonly Stack<Spec>[], met: readonly LevelSlot<Spec>[]): readonly Stack<Spec>[] {
    return met.length === 0 ? stacks : stacks.map((stack) => this.after(stack, met));
  }

  #positionAt(node: TargetNode, entered: boolean): PositionStacks<Spec> {
    const known = entered ? this.#entered : this.#contained;
    const there = known.get(node);
    if (there !== undefined) return there;
    const position = new PositionStacks<Spec>(node, entered);
    known.set(node, position);
    return position;
  }

  #before(position: Position): readonly PositionStacks<Spec>[] {
    return Array.from(positionsBefore(position), ({ node, entered }) => this.#positionAt(node, entered));
  }

  /** Returns the positions from whose stacks those of a position follow. */
  #sourcesOf({ node, entered }: Position): readonly PositionStacks<Spec>[] {
    if (!entered) return [this.#positionAt(node.object, true)];
    const [first] = node.linksFrom;
    if (first === undefined) return none;
    if (!isPlainlyLinked(node)) return this.#before({ node, entered });
    let last = this.#sourceOf(first);
    const sources = [last];
    for (const parent of node.linksFrom) {
      const source = this.#sourceOf(parent);
      if (source !== last) sources.push(source); // The links from one object follow each other.
      last = source;
    }
    return sources.length > few ? [...new Set(sources)] : sources;
  }

  /** Returns the position that a link starts from: for a section without policies, the position of its object, which has the same stacks. */
  #sourceOf(parent: TargetNode): PositionStacks<Spec> {
    const isLikeObject = parent.section === undefined || this.options.slotsAt(parent).length === 0;
    return isLikeObject ? this.#positionAt(parent.object, true) : this.#positionAt(parent, false);
  }

  /** Finds the stacks of a position and of those above, without recursion: topologies may be deep. */
  #find(start: PositionStacks<Spec>): void {
    evaluate(
      start,
      ({ stacks }) => stacks !== undefined,
      (position) => this.#sourcesOf(position),
      (position, sources) => this.#fill(position, sources),
    );
  }

  #fill(position: PositionStacks<Spec>, sources: readonly PositionStacks<Spec>[]): void {
    if (!this.options.isIncluded(position.node.object)) {
      position.stacks = none;
      return;
    }
    const met = this.metAt(position);
    position.met = met;
    const [first] = sources;
    if (first === undefined) {
      position.stacks = position.isRoot ? [this.after(this.stacks.empty, met)] : none;
      return;
    }
    const { stacks = none } = first;
    const areKept = !this.options.isDirect || !position.entered || stacks.every((it) => this.leaving(it) === it);
    const isAlike = areKept && sources.every((other) => isSameList(other.stacks ?? none, stacks));
    position.isInOrder = isAlike;
    const found = isAlike ? this.#allAfter(stacks, met) : this.#unionAfter(sources, position);
    const isTooMuch = found.length > this.#mostAt(position.node) || this.#isTooLarge(found, met);
    if (isTooMuch || sources.some(({ isCut }) => isCut)) position.cut();
    else position.stacks = found;
  }

  #mostAt({ object, linksFrom }: TargetNode): number {
    const links = Math.max(linksFrom.length, object.linksFrom.length);
    return Math.min(this.options.maxContexts, most.stacks + most.perLink * links);
  }

  /** Returns whether a stack has too many policies or fields, once slots were added. */
  #isTooLarge(stacks: readonly Stack<Spec>[], met: readonly LevelSlot<Spec>[]): boolean {
    const { maxPolicies } = this.options.stackLimits;
    return met.length > 0 && stacks.some((stack) => stack.size > maxPolicies || this.hasTooManyFields(stack));
  }

  /**
   * Returns whether the policies of a stack have more fields than the limit of a context.
   *
   * @param levelIn Returns the level of a slot. Default: its current level.
   */
  hasTooManyFields(stack: Stack<Spec>, levelIn = ({ level }: LevelSlot<Spec>): Level<Spec> => level): boolean {
    let fields = 0;
    for (let at: Stack<Spec> | undefined = stack; at?.slot !== undefined; at = at.above)
      fields += levelIn(at.slot).fields;
    return fields > this.options.stackLimits.maxFields;
  }

  /** Returns the stacks with which paths arrive at a position from some above, each once; stops above the limit. */
  #unionAfter(sources: readonly PositionStacks<Spec>[], position: PositionStacks<Spec>): readonly Stack<Spec>[] {
    const found = new Set<Stack<Spec>>();
    for (const { stacks = none } of sources) {
      for (const stack of stacks) found.add(this.arriving(stack, position));
      if (found.size > this.options.maxContexts) break;
    }
    return [...found];
  }
}

/** Returns whether all links to a target come from objects without linked sections. */
function isPlainlyLinked({ linksFrom }: TargetNode): boolean {
  let before: TargetNode | undefined;
  for (const { object } of linksFrom) {
    if (object !== before && object.linkedSections > 0) return false;
    before = object;
  }
  return true;
}
