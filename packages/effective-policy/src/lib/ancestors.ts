import type { TargetNode } from '@policy-machinery/topology';
import type { EditedStacks } from './edited-stacks.ts';
import { evaluate } from './evaluate.ts';
import type { Place, Spot } from './place.ts';
import type { Places } from './places.ts';
import type { Stack } from './stack.ts';
import { type TargetSet, TargetSets } from './target-sets.ts';

/** The ancestors of the paths to a place: as a rule the same ones, else those of the paths with each stack. */
export type PlaceAncestors<Spec> = TargetSet | ReadonlyMap<Stack<Spec>, TargetSet>;

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
    for (const { place, stack } of spots) all = this.#sets.union(all, this.#with(this.#at(place), stack));
    return this.#withOwn(target, all);
  }

  #at(start: Place<Spec>): PlaceAncestors<Spec> {
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

  #findAt(place: Place<Spec>, above: readonly Place<Spec>[]): PlaceAncestors<Spec> {
    const own = this.#withOwn(place.node, this.#sets.empty);
    let all: TargetSet | undefined;
    for (const { ancestors } of above) {
      if (ancestors === undefined) continue;
      if (isByStack(ancestors) || ancestors !== (all ?? ancestors)) return this.#findByStack(place, own);
      all = ancestors;
    }
    return this.#sets.union(all ?? own, own);
  }

  #findByStack(place: Place<Spec>, own: TargetSet): PlaceAncestors<Spec> {
    const { stacks = none, met } = place;
    const byStack = new Map(stacks.map((stack) => [stack, own]));
    for (const source of this.#places.sources(place)) {
      const ancestors = this.#at(source); // As a rule known, or right beneath what is known.
      for (const stack of source.stacks ?? none) {
        const after = this.#places.after(stack, met);
        const known = byStack.get(after);
        if (known !== undefined) byStack.set(after, this.#sets.union(this.#with(ancestors, stack), known));
      }
    }
    return byStack;
  }

  #with(ancestors: PlaceAncestors<Spec>, stack: Stack<Spec>): TargetSet {
    return isByStack(ancestors) ? (ancestors.get(stack) ?? this.#sets.empty) : ancestors;
  }

  #withOwn({ object }: TargetNode, ancestors: TargetSet): TargetSet {
    return this.#isAncestor(object) ? this.#sets.with(ancestors, object) : ancestors;
  }
}

/** The ancestors of the paths to a place after edits of policies: the same ones, of the stacks as they are now. */
export function editedAncestors<Spec>(
  ancestors: PlaceAncestors<Spec>,
  edited: EditedStacks<Spec>,
): PlaceAncestors<Spec> {
  if (!isByStack(ancestors)) return ancestors;
  return new Map(Array.from(ancestors, ([stack, targets]) => [edited.of(stack), targets]));
}

function isByStack<Spec>(ancestors: PlaceAncestors<Spec>): ancestors is ReadonlyMap<Stack<Spec>, TargetSet> {
  return ancestors instanceof Map;
}
