import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { Contexts, Pair } from './paired-by-paths.ts';

type Levels = EffectivePolicy<unknown>['levels'];

/**
 * Pairs contexts of a target with those in the same place of the list after a change.
 *
 * @param previousContexts The contexts before the change.
 * @param currentContexts The contexts after the change.
 * @param compareLevels A function that {@link levelComparison} returns, for all targets of a change.
 * @returns The pairs that differ; `undefined` unless policies of the same names meet in each place.
 */
export function pairedInOrder(
  previousContexts: Contexts,
  currentContexts: Contexts,
  compareLevels: ReturnType<typeof levelComparison>,
): readonly Pair[] | undefined {
  if (previousContexts.length !== currentContexts.length) return undefined;
  const pairs: Pair[] = [];
  for (const [index, old] of previousContexts.entries()) {
    const young = currentContexts[index] as EffectivePolicy<unknown>;
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
  return (previousLevels, currentLevels) => {
    const knownLikeness = last.get(previousLevels);
    if (knownLikeness?.after === currentLevels) return knownLikeness.likeness;
    const likeness = likenessOf(previousLevels, currentLevels);
    last.set(previousLevels, { after: currentLevels, likeness });
    return likeness;
  };
}

function likenessOf(previousLevels: Levels, currentLevels: Levels): Likeness {
  const areNamedAlike = isEqualList(previousLevels, currentLevels, (some, other) => {
    const isSamePlace = some.via === other.via && hasSameLocator(some.target, other.target);
    return isSamePlace && isEqualList(some.policies, other.policies, hasSameLocator);
  });
  if (!areNamedAlike) return 'other';
  const areSame = isEqualList(previousLevels, currentLevels, (some, other) => {
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
