import type { Policy } from '@policy-machinery/policy-kind';
import { type Position, positionsAfter } from '@policy-machinery/topology';
import type { Contexts, PlacedContext } from './contexts.ts';
import type { Place, Spot } from './place.ts';
import { policiesOf } from './stack.ts';

export const nobody: ReadonlySet<never> = new Set<never>();

/** Knows who sets a field in a context: policies of its levels. */
export interface ContextSetters<Spec> {
  settersIn(context: PlacedContext<Spec>): ReadonlySet<Policy<Spec>>;
}

/**
 * Who of the policies that paths have met sets something where they stand, or further down. It is kept with the spots, and found for
 * all spots of a place at once, going down only for as long as there is somebody of whom it is not known yet.
 */
export class SpotSetters<Spec> {
  readonly #contexts: Contexts<Spec>;
  readonly #setters: ContextSetters<Spec>;

  constructor(contexts: Contexts<Spec>, setters: ContextSetters<Spec>) {
    this.#contexts = contexts;
    this.#setters = setters;
  }

  /** Who does at a spot. O(what is directly beneath its place), when all further down is known. */
  at(spot: Spot<Spec>): ReadonlySet<Policy<Spec>> {
    if (spot.setters === undefined) this.#findAt(spot.place);
    return spot.setters ?? nobody;
  }

  /** Goes downwards without recursion: topologies may be deep. */
  #findAt(start: Place<Spec>): void {
    const searches = [this.#searchAt(start)];
    for (let search = searches.at(-1); search !== undefined; search = searches.at(-1)) {
      const next = search.next ?? this.#nextOf(search);
      if (next === undefined) {
        for (const { spot, found } of search.open) spot.setters = found;
        searches.pop();
      } else if (this.#gather(search, next)) search.next = undefined;
      else {
        search.next = next; // To be gathered from when all is known there.
        searches.push(this.#searchAt(next));
      }
    }
  }

  /** Begins with those who set something right there. */
  #searchAt(place: Place<Spec>): Search<Spec> {
    const { node, spots = [] } = place;
    const isContext = this.#contexts.of(node).length > 0; // All that come there are, unless they are too many.
    const open: OpenSpot<Spec>[] = [];
    for (const spot of spots) {
      if (spot.setters !== undefined) continue;
      const found = isContext ? this.#setters.settersIn({ target: node, stack: spot.stack }) : nobody;
      open.push({ spot, met: policiesOf(spot.stack), found });
    }
    return { open: stillOpen(open), beneath: positionsAfter(place)[Symbol.iterator](), next: undefined };
  }

  /** The next place beneath, if there is anything left to find there. */
  #nextOf({ open, beneath }: Search<Spec>): Place<Spec> | undefined {
    const { places } = this.#contexts;
    while (open.length > 0) {
      const { value: position, done } = beneath.next();
      if (done === true) return undefined;
      if (places.leadsThere(position.node)) return places.at(position);
    }
    return undefined;
  }

  /** Adds those who set something at a place beneath, or further down; `false` if that is not known yet. */
  #gather(search: Search<Spec>, next: Place<Spec>): boolean {
    const { places } = this.#contexts;
    const { node, entered, met } = next;
    const passesObject = entered && node.section !== undefined && this.#contexts.isWanted(node.object);
    for (const it of search.open) {
      const { stack } = it.spot;
      if (passesObject) {
        const passed = { target: node.object, stack: places.after(stack, places.metAtObject(node.object)) };
        it.found = unionAmong(it.met, it.found, this.#setters.settersIn(passed));
      }
      const spot = next.isCut ? undefined : next.with(places.after(stack, met));
      if (spot === undefined) continue;
      if (spot.setters === undefined) return false;
      it.found = unionAmong(it.met, it.found, spot.setters);
    }
    search.open = stillOpen(search.open);
    return true;
  }
}

/** What is being found for a place. */
interface Search<Spec> {
  /** The spots of which not all is known. */
  open: readonly OpenSpot<Spec>[];
  /** Where paths go on that have not been looked at yet. */
  readonly beneath: Iterator<Position>;
  /** The one that is being looked at. */
  next: Place<Spec> | undefined;
}

interface OpenSpot<Spec> {
  readonly spot: Spot<Spec>;
  /** Who may set something. */
  readonly met: ReadonlySet<Policy<Spec>>;
  /** Who does, as far as is known. */
  found: ReadonlySet<Policy<Spec>>;
}

/** Takes down what has been found where everybody who has been met sets something. */
function stillOpen<Spec>(open: readonly OpenSpot<Spec>[]): readonly OpenSpot<Spec>[] {
  return open.filter(({ spot, met, found }) => {
    if (found.size < met.size) return true;
    spot.setters = found;
    return false;
  });
}

/** Some items, and those of others that are among all: the very set of these, or of the others, where that is so. */
function unionAmong<Item>(
  all: ReadonlySet<Item>,
  some: ReadonlySet<Item>,
  others: ReadonlySet<Item>,
): ReadonlySet<Item> {
  if (some === others) return some;
  const more = Array.from(others).filter((item) => all.has(item) && !some.has(item));
  if (more.length === 0) return some;
  return more.length === others.size && some.size === 0 ? others : new Set([...some, ...more]);
}
