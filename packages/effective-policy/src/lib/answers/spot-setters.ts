import { type Position, positionsAfter } from '@policy-machinery/topology';
import type { Contexts, PlacedContext } from '../contexts/contexts.ts';
import type { Place, Spot } from '../contexts/place.ts';
import { policiesOf } from '../contexts/stack.ts';
import { emptySet } from '../support/empty-set.ts';

/** Knows who sets a field in a context: policies of its levels, by their locators. */
export interface ContextSetters<Spec> {
  settersIn(context: PlacedContext<Spec>): ReadonlySet<string>;
}

/**
 * Who of the policies that paths have met sets something where they stand, or further down. It is kept with the spots, by locators, so
 * that it stays when policies are edited; and found for all spots of a place at once, going down only for as long as there is somebody of
 * whom it is not known yet.
 */
export class SpotSetters<Spec> {
  readonly #contexts: Contexts<Spec>;
  readonly #setters: ContextSetters<Spec>;

  constructor(contexts: Contexts<Spec>, setters: ContextSetters<Spec>) {
    this.#contexts = contexts;
    this.#setters = setters;
  }

  /** Who does at a spot. O(what is directly below its place), when all further down is known. */
  at(spot: Spot<Spec>): ReadonlySet<string> {
    if (spot.setters === undefined) this.#findAt(spot.place);
    return spot.setters ?? emptySet;
  }

  /** Goes downwards without recursion: topologies may be deep. */
  #findAt(start: Place<Spec>): void {
    const searches: Search<Spec>[] = [];
    this.#begin(start, searches);
    for (let search = searches.at(-1); search !== undefined; search = searches.at(-1)) {
      search.next ??= this.#nextOf(search);
      if (search.next === undefined) {
        for (const { spot, found } of search.open) spot.setters = found;
        searches.pop();
      } else if (this.#gather(search, search.next)) search.next = undefined;
      else this.#begin(search.next, searches); // Then it is gathered from.
    }
  }

  /** Takes down who sets something right there. What is below is searched if that is not everybody who has been met. */
  #begin(place: Place<Spec>, searches: Search<Spec>[]): void {
    const { node, spots = [] } = place;
    const isContext = this.#contexts.of(node).length > 0; // All that come there are, unless they are too many.
    const open: OpenSpot<Spec>[] = [];
    for (const spot of spots) {
      if (spot.setters !== undefined) continue;
      const found = isContext ? this.#setters.settersIn({ target: node, stack: spot.stack }) : emptySet;
      if (isAll(found, spot)) spot.setters = found;
      else open.push({ spot, found });
    }
    if (open.length === 0) return;
    searches.push({ open, beneath: positionsAfter(place)[Symbol.iterator](), next: undefined });
  }

  /** The next place below, if there is anything left to find there. */
  #nextOf({ open, beneath }: Search<Spec>): Place<Spec> | undefined {
    const { places } = this.#contexts;
    while (open.length > 0) {
      const { value: position, done } = beneath.next();
      if (done === true) return undefined;
      if (places.leadsThere(position.node)) return places.at(position);
    }
    return undefined;
  }

  /** Adds those who set something at a place below, or further down; `false` if that is not known yet. */
  #gather(search: Search<Spec>, next: Place<Spec>): boolean {
    const { places } = this.#contexts;
    const { node, entered } = next;
    const passesObject = entered && node.section !== undefined && this.#contexts.isWanted(node.object);
    for (const it of search.open) {
      if (passesObject) {
        const stack = places.after(it.spot.stack, places.metAtObject(node.object));
        this.#add(it, this.#setters.settersIn({ target: node.object, stack }));
      }
      const spot = this.#contexts.spotAfter(it.spot, next);
      if (spot === undefined) continue;
      if (spot.setters === undefined) return false;
      this.#add(it, spot.setters);
    }
    if (search.open.some(({ spot }) => spot.setters !== undefined)) {
      search.open = search.open.filter(({ spot }) => spot.setters === undefined);
    }
    return true;
  }

  #add(it: OpenSpot<Spec>, setters: ReadonlySet<string>): void {
    it.found = unionAmong(policiesOf(it.spot.stack), it.found, setters);
    if (isAll(it.found, it.spot)) it.spot.setters = it.found;
  }
}

function isAll<Spec>(found: ReadonlySet<string>, { stack }: Spot<Spec>): boolean {
  return found.size === policiesOf(stack).size;
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
