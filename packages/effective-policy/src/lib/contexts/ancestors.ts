import type { TargetNode } from '@policy-machinery/topology';
import { type TargetSet, TargetSets } from '../support/target-sets.ts';
import { evaluate } from './evaluate.ts';
import type { Place, PlaceAncestors, Spot } from './place.ts';
import type { Places } from './places.ts';

const none: readonly never[] = [];

/** The ancestors (S-11) that paths lead through, which the status of a policy has an entry for. They are kept with the places. */
export class Ancestors<Spec> {
  readonly #places: Places<Spec>;
  readonly #isAncestor: (object: TargetNode) => boolean;
  #sets = new TargetSets();

  constructor(places: Places<Spec>) {
    this.#places = places;
    this.#isAncestor = places.options.isAncestor;
  }

  /** Forgets sets of targets, which may be gone; those that are in use stay as they are. */
  forgetSets(): void {
    this.#sets = new TargetSets();
  }

  /** Those of all paths that come upon a target by a place, if they are the same ones with each stack. O(links above) at first. */
  ofAll(target: TargetNode, place: Place<Spec>): TargetSet | undefined {
    const ancestors = this.#at(place);
    return isByStack(ancestors) ? undefined : this.#withOwn(target, ancestors);
  }

  /** Those of the paths that come upon a target at some spots. O(links above) at first. */
  of(target: TargetNode, spots: readonly Spot<Spec>[]): TargetSet {
    let all = this.#sets.empty;
    for (const { place, index } of spots) all = this.#sets.union(all, this.#with(this.#at(place), index));
    return this.#withOwn(target, all);
  }

  #at(start: Place<Spec>): PlaceAncestors {
    if (start.ancestors !== undefined) return start.ancestors;
    evaluate(
      start,
      ({ ancestors }) => ancestors !== undefined,
      (place) => this.#places.objectsAbove(place), // Through whatever else paths have come: it is no ancestor.
      (place, above) => {
        place.ancestors = this.#findAt(place, above);
      },
    );
    return start.ancestors ?? this.#sets.empty;
  }

  #findAt(place: Place<Spec>, above: readonly Place<Spec>[]): PlaceAncestors {
    const own = this.#withOwn(place.node, this.#sets.empty);
    let all: TargetSet | undefined;
    for (const { ancestors, isEmpty } of above) {
      if (ancestors === undefined || isEmpty) continue;
      if (isByStack(ancestors) || ancestors !== (all ?? ancestors)) return this.#findByStack(place, own);
      all = ancestors;
    }
    return this.#sets.union(all ?? own, own);
  }

  #findByStack(place: Place<Spec>, own: TargetSet): PlaceAncestors {
    const byStack = (place.stacks ?? none).map(() => own);
    for (const source of this.#places.sources(place)) {
      const ancestors = this.#at(source); // As a rule known, or right beneath what is known.
      for (const [index, stack] of (source.stacks ?? none).entries()) {
        const after = place.indexOf(this.#places.after(stack, place.met));
        const known = byStack[after];
        if (known !== undefined) byStack[after] = this.#sets.union(this.#with(ancestors, index), known);
      }
    }
    return byStack;
  }

  #with(ancestors: PlaceAncestors, index: number): TargetSet {
    return isByStack(ancestors) ? (ancestors[index] ?? this.#sets.empty) : ancestors;
  }

  #withOwn({ object }: TargetNode, ancestors: TargetSet): TargetSet {
    return this.#isAncestor(object) ? this.#sets.with(ancestors, object) : ancestors;
  }
}

function isByStack(ancestors: PlaceAncestors): ancestors is readonly TargetSet[] {
  return Array.isArray(ancestors);
}
