import type { TargetNode } from '@policy-machinery/topology';
import type { EditedStacks } from '../follow/edited-stacks.ts';
import type { Place } from './place.ts';
import type { Places } from './places.ts';
import type { Stack } from './stack.ts';

/** `undefined` for a target that has too many contexts, or is beneath one that has. */
type Found<Spec> = readonly Stack<Spec>[] | undefined;

/**
 * The stacks of the targets that somebody has asked for. As a rule a section has the very list of its object: then nothing is
 * kept but that it has been asked for, for sections are what there is most of.
 */
export class FoundStacks<Spec> {
  readonly #places: Places<Spec>;
  /** Of whole resources, and of sections that have another list than their object. All others are among {@link Place.asked}. */
  readonly #listed = new Map<TargetNode, Found<Spec>>();

  constructor(places: Places<Spec>) {
    this.#places = places;
  }

  /** Whether the stacks of a target have been found. */
  has(target: TargetNode): boolean {
    return this.#withIts(target) !== undefined || this.#listed.has(target);
  }

  /** What has been found; `undefined` where nothing has, too. */
  get(target: TargetNode): Found<Spec> {
    const place = this.#withIts(target);
    return place === undefined ? this.#listed.get(target) : place.stacks;
  }

  /** Keeps what has been found for a whole resource. */
  set(object: TargetNode, stacks: Found<Spec>): void {
    this.#listed.set(object, stacks);
  }

  /** Finds and keeps the stacks of all sections of an object that somebody may ask for. */
  findSections(
    object: TargetNode,
    isWanted: (section: TargetNode) => boolean,
    find: (section: TargetNode) => Found<Spec>,
  ): void {
    const place = this.#places.at({ node: object, entered: true });
    const { sections } = object;
    let areAlike = true;
    for (const section of sections) {
      if (isWanted(section)) {
        const stacks = find(section);
        if (stacks === place.stacks) continue;
        this.#listed.set(section, stacks);
      }
      areAlike = false;
    }
    const isAlike = (section: TargetNode): boolean => isWanted(section) && !this.#listed.has(section);
    place.asked = areAlike ? sections : sections.filter(isAlike); // As a rule there need be no other list.
  }

  forget(target: TargetNode): void {
    this.#listed.delete(target);
    const place = this.#withIts(target);
    if (place !== undefined) place.asked = place.asked.filter((section) => section !== target);
  }

  /** Puts other stacks in the place of those of a target. */
  edit(target: TargetNode, edited: EditedStacks<Spec>): void {
    const stacks = this.#listed.get(target);
    if (stacks !== undefined) this.#listed.set(target, edited.list(stacks).now);
  }

  /** The targets whose stacks have been found. */
  *targets(): Iterable<TargetNode> {
    yield* this.#listed.keys();
    for (const { asked } of this.#places.entered) yield* asked;
  }

  /** The place of the object of a section that has been asked for, and has its list. */
  #withIts(target: TargetNode): Place<Spec> | undefined {
    if (target.section === undefined) return undefined;
    const place = this.#places.known({ node: target.object, entered: true });
    return place !== undefined && isAmong(place.asked, target) ? place : undefined;
  }
}

/** Up to so many, as many as Gateway API allows a resource, sections are gone through faster than looked up. */
const few = 64;

/** Lists of many sections as sets: lists of those that have been asked for never change. */
const sets = new WeakMap<readonly TargetNode[], ReadonlySet<TargetNode>>();

function isAmong(sections: readonly TargetNode[], section: TargetNode): boolean {
  if (sections.length <= few) return sections.includes(section);
  const set = sets.get(sections) ?? new Set(sections);
  sets.set(sections, set);
  return set.has(section);
}
