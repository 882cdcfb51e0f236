import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { Contexts, Pair } from './paired-by-paths.ts';

type Levels = EffectivePolicy<unknown>['levels'];

/**
 * Pairs contexts of a target with those in the same place of the list after a change.
 *
 * @param before The contexts before the change.
 * @param after The contexts after the change.
 * @param compareLevels A function that {@link levelComparison} returns, for all targets of a change.
 * @returns The pairs that differ; `undefined` unless policies of the same names meet in each place.
 */
export function pairedInOrder(
  before: Contexts,
  after: Contexts,
  compareLevels: ReturnType<typeof levelComparison>,
): readonly Pair[] | undefined {
  if (before.length !== after.length) return undefined;
  const pairs: Pair[] = [];
  for (const [index, old] of before.entries()) {
    const young = after[index] as EffectivePolicy<unknown>;
    const likeness = compareLevels(old.levels, young.levels);
    if (likeness === 'other') return undefined;
    const isSame = likeness === 'same' && old.target.resource === young.target.resource;
    if (!isSame || !isEqualList(old.ancestors, young.ancestors, hasSameLocator)) pairs.push([old, young]);
  }
  return pairs;
}

/** Whether two lists of levels consist of the same resources, of other ones with the same names, or have other names. */
type Likeness = 'same' | 'edited' | 'other';

/** Returns a function that compares levels. Thousands of contexts share theirs, so the last answer about each list is kept. */
export function levelComparison(): (before: Levels, after: Levels) => Likeness {
  const last = new Map<Levels, { readonly after: Levels; readonly likeness: Likeness }>();
  return (before, after) => {
    const knownLikeness = last.get(before);
    if (knownLikeness?.after === after) return knownLikeness.likeness;
    const likeness = likenessOf(before, after);
    last.set(before, { after, likeness });
    return likeness;
  };
}

function likenessOf(before: Levels, after: Levels): Likeness {
  const areNamedAlike = isEqualList(before, after, (some, other) => {
    const isSamePlace = some.via === other.via && hasSameLocator(some.target, other.target);
    return isSamePlace && isEqualList(some.policies, other.policies, hasSameLocator);
  });
  if (!areNamedAlike) return 'other';
  const areSame = isEqualList(before, after, (some, other) => {
    return hasSameResource(some.target, other.target) && isEqualList(some.policies, other.policies, hasSameResource);
  });
  return areSame ? 'same' : 'edited';
}

function hasSameLocator(item: { readonly locator: string }, other: { readonly locator: string }): boolean {
  return item === other || item.locator === other.locator;
}

function hasSameResource(item: { readonly resource: unknown }, other: { readonly resource: unknown }): boolean {
  return item === other || item.resource === other.resource;
}

function isEqualList<Item>(
  some: readonly Item[],
  others: readonly Item[],
  isEqual: (one: Item, other: Item) => boolean,
): boolean {
  return some.length === others.length && some.every((item, index) => isEqual(item, others[index] as Item));
}
