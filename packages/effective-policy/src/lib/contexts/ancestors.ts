import type { AncestorEntries } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import { type TargetSet, TargetSets } from '../support/target-sets.ts';
import { evaluate } from './evaluate.ts';
import { namedParents } from './named-ancestors.ts';
import type { Place, PlaceAncestors, Spot } from './place.ts';
import type { Places } from './places.ts';

/** Places from which paths come to another, each with the targets from which links lead on the way. */
type Sources<Spec> = readonly (readonly [source: Place<Spec>, parents: readonly TargetNode[]])[];

const none: readonly never[] = [];

/**
 * The ancestors that paths lead through, as entries of statuses name them: with sections, or the nearest one only. What is kept with a place are
 * those strictly above it, for how an ancestor is named is up to what is below it.
 */
export class Ancestors<Spec> {
  readonly #places: Places<Spec>;
  readonly #entries: AncestorEntries;
  #sets = new TargetSets();

  constructor(places: Places<Spec>, entries: AncestorEntries) {
    this.#places = places;
    this.#entries = entries;
  }

  /** Forgets sets of targets, which may be gone; those that are in use stay as they are. */
  forgetSets(): void {
    this.#sets = new TargetSets();
  }

  /** Those of all paths that come upon a target by a place, if they are the same ones with each stack. O(links above) at first. */
  ofAll(target: TargetNode, place: Place<Spec>): TargetSet | undefined {
    const above = this.#at(place);
    return isByStack(above) ? undefined : this.#withOwn(target, this.#onTheWay(place, target, above));
  }

  /** Those of the paths that come upon a target at some spots. O(links above) at first. */
  of(target: TargetNode, spots: readonly Spot<Spec>[]): TargetSet {
    let all = this.#sets.empty;
    for (const { place, index } of spots) {
      all = this.#sets.union(all, this.#onTheWay(place, target, this.#with(this.#at(place), index)));
    }
    return this.#withOwn(target, all);
  }

  #at(start: Place<Spec>): PlaceAncestors {
    if (start.ancestors !== undefined) return start.ancestors;
    evaluate(
      start,
      ({ ancestors }) => ancestors !== undefined,
      (place) => this.#sourcesOf(place).map(([source]) => source),
      (place) => {
        place.ancestors = this.#findAt(place);
      },
    );
    return start.ancestors ?? this.#sets.empty;
  }

  #sourcesOf(place: Place<Spec>): Sources<Spec> {
    if (place.entered) return [...this.#places.parents(place)];
    return this.#places.sources(place).map((source) => [source, none]);
  }

  /** Usually paths have come through the same ancestors from everywhere. */
  #findAt(place: Place<Spec>): PlaceAncestors {
    const sources = this.#sourcesOf(place);
    let all: TargetSet | undefined;
    for (const [source, parents] of sources) {
      if (source.isEmpty) continue;
      const above = this.#at(source);
      const come = isByStack(above) ? undefined : this.#through(parents, place.node, above);
      if (come === undefined || (all ?? come) !== come) return this.#findByStack(place, sources);
      all = come;
    }
    return all ?? this.#sets.empty;
  }

  /** One set where all stacks have the same. */
  #findByStack(place: Place<Spec>, sources: Sources<Spec>): PlaceAncestors {
    const byStack = (place.stacks ?? none).map(() => this.#sets.empty);
    for (const [source, parents] of sources) {
      const above = this.#at(source);
      for (const [index, stack] of (source.stacks ?? none).entries()) {
        const after = place.indexOf(this.#places.after(stack, place.met));
        const there = byStack[after];
        if (there === undefined) continue;
        const come = this.#through(parents, place.node, this.#with(above, index));
        byStack[after] = this.#sets.union(come, there);
      }
    }
    const [first = this.#sets.empty] = byStack;
    return byStack.every((set) => set === first) ? first : byStack;
  }

  /** Those of paths that go on by links from some targets to another, which lead through some above these. */
  #through(parents: readonly TargetNode[], child: TargetNode, above: TargetSet): TargetSet {
    if (parents.length === 0) return above;
    let all = this.#sets.empty;
    for (const parent of parents) all = this.#sets.union(this.#goingOn(parent, child, above), all);
    return all;
  }

  #goingOn(parent: TargetNode, child: TargetNode, above: TargetSet): TargetSet {
    if (!this.#places.options.isAncestor(parent.object)) return above;
    const { naming, reach } = this.#entries;
    let all = reach === 'nearest' ? this.#sets.empty : above;
    for (const named of naming === 'sections' ? namedParents(parent, child) : [parent.object]) {
      all = this.#sets.with(all, named);
    }
    return all;
  }

  /** Paths that pass a target on the way into one of its sections are right above it. */
  #onTheWay({ node }: Place<Spec>, target: TargetNode, above: TargetSet): TargetSet {
    return node.object === target.object ? above : this.#goingOn(node, target, above);
  }

  #with(ancestors: PlaceAncestors, index: number): TargetSet {
    return isByStack(ancestors) ? (ancestors[index] ?? this.#sets.empty) : ancestors;
  }

  #withOwn(target: TargetNode, above: TargetSet): TargetSet {
    if (!this.#places.options.isAncestor(target.object)) return above;
    const own = this.#entries.naming === 'sections' ? target : target.object;
    return this.#sets.with(this.#entries.reach === 'nearest' ? this.#sets.empty : above, own);
  }
}

function isByStack(ancestors: PlaceAncestors): ancestors is readonly TargetSet[] {
  return Array.isArray(ancestors);
}
