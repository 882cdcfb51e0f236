import type { AncestorEntries } from '@policy-machinery/policy-kind';
import {
  isSectionKind,
  type Position,
  positionsBefore,
  type Targetable,
  type TargetKind,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import type { PolicyLimits } from '../levels/counting-policies.ts';
import type { Level, LevelSlot } from '../levels/level.ts';
import { isSameList } from '../support/same.ts';
import { HeldStacks, type LevelWith } from './held-stacks.ts';
import { PositionStacks } from './position-stacks.ts';
import { type Stack, Stacks } from './stack.ts';

/** What the walk needs to know of a policy kind. */
export interface WalkOptions<Spec> {
  /** Whether the contexts of a target are wanted. */
  readonly isWanted: (target: TargetNode) => boolean;
  /** Whether paths count that lead to an object or through it. */
  readonly isIncluded: (object: TargetNode) => boolean;
  /** The kinds of targets whose contexts are wanted. */
  readonly wanted: readonly Targetable[];
  /** The slots of a target, the less specific one first. */
  readonly slotsAt: (target: TargetNode) => readonly LevelSlot<Spec>[];
  /** The level of fewer policies on the same target. */
  readonly levelWith: LevelWith;
  /** Whether the namespace of an object is a level above it. */
  readonly hasNamespaceLevel: (object: TargetNode) => boolean;
  /** Whether an object is an ancestor in the statuses of policies (S-11). */
  readonly isAncestor: (object: TargetNode) => boolean;
  /** Which of the ancestors count, and how they are named. */
  readonly ancestorEntries: AncestorEntries;
  /** How many distinct stacks a target may have; one with more is left out, and so is what is below it. */
  readonly maxContexts: number;
  /** How large a stack may be; a target with a larger one is left out in the same way. */
  readonly stackLimits: PolicyLimits;
}

const none: readonly never[] = [];

/**
 * How many stacks a target may have, and how many for each link into it. With those of whole routes come as many as links; more come of
 * links in rows, each of which multiplies them, and all below would have them once again.
 */
const most = { stacks: 256, perLink: 64 };

/** So many positions are as quickly gone through as told apart. */
const few = 8;

/**
 * The stacks with which paths come to positions, found upwards from where they are asked for, and then known. It follows
 * stacks, not paths: targets without policies add nothing to a stack, so a graph with 2^40 paths and few policies costs no more
 * than its links.
 */
export class ContextGraph<Spec> {
  readonly options: WalkOptions<Spec>;
  readonly stacks = new Stacks<Spec>();
  /** What of them is merged. */
  readonly held: HeldStacks<Spec>;
  readonly #topology: Topology;
  /** By each way of arriving: by a link and by containment. */
  readonly #entered = new Map<TargetNode, PositionStacks<Spec>>();
  readonly #contained = new Map<TargetNode, PositionStacks<Spec>>();
  readonly #leads = new Map<TargetKind, boolean>();

  constructor(topology: Topology, options: WalkOptions<Spec>) {
    this.#topology = topology;
    this.options = options;
    this.held = new HeldStacks(this.stacks, options.levelWith);
  }

  /** The stacks of a position, with its stacks. O(links above it, times stacks) for the first one asked. */
  at({ node, entered }: Position): PositionStacks<Spec> {
    const position = this.#positionAt(node, entered);
    if (position.stacks === undefined) this.#find(position);
    return position;
  }

  /**
   * The stacks with which paths come to an object, or down into a section from its object; `undefined` where there are too
   * many.
   */
  stacksByObject(target: TargetNode): readonly Stack<Spec>[] | undefined {
    const { stacks = none, isCut } = this.at({ node: target.object, entered: true });
    if (isCut || stacks.length > this.options.maxContexts) return undefined;
    if (target.section === undefined) return stacks;
    const met = this.options.slotsAt(target);
    const after = this.#allAfter(stacks, met);
    return this.#isTooLarge(after, met) ? undefined : after;
  }

  /** The stacks of a position, if it is known. */
  known({ node, entered }: Position): PositionStacks<Spec> | undefined {
    return (entered ? this.#entered : this.#contained).get(node);
  }

  /** All positions that paths come to by a link, or begin at, as far as they are known. */
  get entered(): Iterable<PositionStacks<Spec>> {
    return this.#entered.values();
  }

  /** Forgets a position, and everything about it. */
  forget({ node, entered }: Position): void {
    (entered ? this.#entered : this.#contained).delete(node);
  }

  /** The positions from which paths come to one. */
  before(position: PositionStacks<Spec>): readonly PositionStacks<Spec>[] {
    return this.#before(position).map((before) => this.at(before));
  }

  /**
   * The positions from which paths come to one, or others that they pass before, with the very same stacks and ancestors: usually fewer than
   * {@link before}.
   */
  sources(position: PositionStacks<Spec>): readonly PositionStacks<Spec>[] {
    return this.#sourcesOf(position).map((source) => this.at(source));
  }

  /** {@link sources} of a position that is entered, each with the targets from which links lead on the way. */
  parents({ node }: PositionStacks<Spec>): ReadonlyMap<PositionStacks<Spec>, readonly TargetNode[]> {
    const parents = new Map<PositionStacks<Spec>, TargetNode[]>();
    const add = (source: PositionStacks<Spec>, parent: TargetNode): void => {
      const there = parents.get(source);
      if (there === undefined) parents.set(source, [parent]);
      else there.push(parent);
    };
    if (!isPlainlyLinked(node)) for (const before of this.#before({ node, entered: true })) add(before, before.node);
    else for (const parent of node.linksFrom) add(this.#sourceOf(parent), parent);
    for (const source of parents.keys()) this.at(source);
    return parents;
  }

  /** Whether contexts may be wanted at targets of a kind, or below them. */
  leadsThere({ object }: TargetNode): boolean {
    const kind = object.kind as TargetKind;
    const known = this.#leads.get(kind);
    if (known !== undefined) return known;
    const leads = this.options.wanted.some((it) => this.#topology.leadsTo(kind, isSectionKind(it) ? it.of : it));
    this.#leads.set(kind, leads);
    return leads;
  }

  /** Kinds may have come to be linked that were not. */
  forgetKinds(): void {
    this.#leads.clear();
  }

  /** The slots that a path meets on arriving: namespace, object and section, as far as it meets them there. */
  metAt({ node, entered }: Position): readonly LevelSlot<Spec>[] {
    const { slotsAt } = this.options;
    if (!entered) return slotsAt(node);
    const object = this.metAtObject(node.object);
    if (node.section === undefined) return object;
    const own = slotsAt(node);
    return own.length === 0 ? object : object.concat(own);
  }

  /** The slots that a path meets on coming upon an object. */
  metAtObject(object: TargetNode): readonly LevelSlot<Spec>[] {
    const { slotsAt, hasNamespaceLevel } = this.options;
    const { namespace } = object;
    const own = slotsAt(object);
    if (namespace === undefined) return own;
    const around = slotsAt(namespace);
    if (around.length === 0 || !hasNamespaceLevel(object)) return own;
    return own.length === 0 ? around : around.concat(own); // Without room to spare: it is kept.
  }

  /** The stack after some slots more. */
  after(stack: Stack<Spec>, met: readonly LevelSlot<Spec>[]): Stack<Spec> {
    let after = stack;
    for (const slot of met) after = this.stacks.push(after, slot);
    return after;
  }

  /** The stacks after some slots more. They stay apart, and in their order. */
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

  /** Each of the positions whose stacks lead to one. */
  #sourcesOf({ node, entered }: Position): readonly PositionStacks<Spec>[] {
    if (!entered) return [this.#positionAt(node.object, true)];
    const [first] = node.linksFrom;
    if (first === undefined) return none;
    if (!isPlainlyLinked(node)) return this.#before({ node, entered });
    let last = this.#sourceOf(first);
    const sources = [last];
    for (const parent of node.linksFrom) {
      const source = this.#sourceOf(parent);
      if (source !== last) sources.push(source); // Links from one object come one after the other.
      last = source;
    }
    return sources.length > few ? [...new Set(sources)] : sources;
  }

  /** The position from which a link leads on. Of a section in which paths meet nothing, that is its object: it has the same stacks. */
  #sourceOf(parent: TargetNode): PositionStacks<Spec> {
    const isLikeObject = parent.section === undefined || this.options.slotsAt(parent).length === 0;
    return isLikeObject ? this.#positionAt(parent.object, true) : this.#positionAt(parent, false);
  }

  /** Goes upwards without recursion: topologies may be deep. */
  #find(start: PositionStacks<Spec>): void {
    const sources = this.#sourcesOf(start);
    if (sources.every(({ stacks }) => stacks !== undefined)) {
      this.#fill(start, sources);
      return;
    }
    const steps = [{ position: start, sources, at: 0 }];
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const above = step.sources[step.at];
      step.at += 1;
      if (above === undefined) {
        this.#fill(step.position, step.sources);
        steps.pop();
      } else if (above.stacks === undefined) steps.push({ position: above, sources: this.#sourcesOf(above), at: 0 });
    }
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
    const isAlike = sources.every((other) => isSameList(other.stacks ?? none, stacks));
    position.isInOrder = isAlike;
    const found = isAlike ? this.#allAfter(stacks, met) : this.#unionAfter(sources, met);
    const isTooMuch = found.length > this.#mostAt(position.node) || this.#isTooLarge(found, met);
    if (isTooMuch || sources.some(({ isCut }) => isCut)) position.cut();
    else position.stacks = found;
  }

  #mostAt({ object, linksFrom }: TargetNode): number {
    const links = Math.max(linksFrom.length, object.linksFrom.length);
    return Math.min(this.options.maxContexts, most.stacks + most.perLink * links);
  }

  /** Whether any stack has too many policies or fields, after some slots more. */
  #isTooLarge(stacks: readonly Stack<Spec>[], met: readonly LevelSlot<Spec>[]): boolean {
    const { maxPolicies } = this.options.stackLimits;
    return met.length > 0 && stacks.some((stack) => stack.size > maxPolicies || this.hasTooManyFields(stack));
  }

  /**
   * Whether the policies of a stack have more fields than may meet in a context.
   *
   * @param levelIn The level of each slot. Default: as it is now.
   */
  hasTooManyFields(stack: Stack<Spec>, levelIn = ({ level }: LevelSlot<Spec>): Level<Spec> => level): boolean {
    let fields = 0;
    for (let at: Stack<Spec> | undefined = stack; at?.slot !== undefined; at = at.above)
      fields += levelIn(at.slot).fields;
    return fields > this.options.stackLimits.maxFields;
  }

  /** The stacks of some positions after some slots more, each once; not all of them where they are too many. */
  #unionAfter(positions: readonly PositionStacks<Spec>[], met: readonly LevelSlot<Spec>[]): readonly Stack<Spec>[] {
    const found = new Set<Stack<Spec>>();
    for (const { stacks = none } of positions) {
      for (const stack of stacks) found.add(this.after(stack, met));
      if (found.size > this.options.maxContexts) break;
    }
    return [...found];
  }
}

/** Whether all links to a target come from objects of which no section can be entered. */
function isPlainlyLinked({ linksFrom }: TargetNode): boolean {
  let before: TargetNode | undefined;
  for (const { object } of linksFrom) {
    if (object !== before && object.linkedSections > 0) return false;
    before = object;
  }
  return true;
}
