import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';

/** An effective policy that appears, disappears, or has other parts. */
export interface ChangedContext {
  /** Locator of the target. */
  readonly target: string;
  readonly before: EffectivePolicy<unknown> | undefined;
  readonly after: EffectivePolicy<unknown> | undefined;
}

/**
 * Compares the contexts of targets before and after a change. Contexts with the same policies are left out without merging; the others are
 * paired in order where the same policies meet by name, and otherwise by shared paths.
 *
 * @param targets Locators of the targets. Default: all.
 */
export function changedContexts(
  before: EffectivePolicies<unknown>,
  after: EffectivePolicies<unknown>,
  targets: Iterable<string> = allTargets(before, after),
): readonly ChangedContext[] {
  const compareLevels = levelComparison();
  return [...targets].flatMap((target) => {
    const [olds, youngs] = [before.of(target), after.of(target)];
    const pairs = pairedInOrder(olds, youngs, compareLevels) ?? paired(...withoutEqual(olds, youngs));
    return pairs.map(([old, young]) => ({ target, before: old, after: young }));
  });
}

function allTargets(...views: readonly EffectivePolicies<unknown>[]): Iterable<string> {
  return new Set(views.flatMap(({ targets }) => Array.from(targets, ({ locator }) => locator)));
}

type Contexts = readonly EffectivePolicy<unknown>[];

type Levels = EffectivePolicy<unknown>['levels'];

type Pair = readonly [EffectivePolicy<unknown> | undefined, EffectivePolicy<unknown> | undefined];

/** Returns the contexts that differ, each with the one in its place; `undefined` where not the same policies meet, by name, in all places. */
function pairedInOrder(before: Contexts, after: Contexts, compareLevels: CompareLevels): readonly Pair[] | undefined {
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

type CompareLevels = (before: Levels, after: Levels) => Likeness;

/** Returns a function that compares levels. Thousands of contexts share theirs, so the last answer about each list is kept. */
function levelComparison(): CompareLevels {
  const last = new Map<Levels, { readonly after: Levels; readonly likeness: Likeness }>();
  return (before, after) => {
    const known = last.get(before);
    if (known?.after === after) return known.likeness;
    const likeness = likenessOf(before, after);
    last.set(before, { after, likeness });
    return likeness;
  };
}

function likenessOf(before: Levels, after: Levels): Likeness {
  const areNamedAlike = isEqualList(before, after, (one, other) => {
    const isSamePlace = one.via === other.via && hasSameLocator(one.target, other.target);
    return isSamePlace && isEqualList(one.policies, other.policies, hasSameLocator);
  });
  if (!areNamedAlike) return 'other';
  const areSame = isEqualList(before, after, (one, other) => {
    return hasSameResource(one.target, other.target) && isEqualList(one.policies, other.policies, hasSameResource);
  });
  return areSame ? 'same' : 'edited';
}

function hasSameLocator(one: { readonly locator: string }, other: { readonly locator: string }): boolean {
  return one === other || one.locator === other.locator;
}

function hasSameResource(one: { readonly resource: unknown }, other: { readonly resource: unknown }): boolean {
  return one === other || one.resource === other.resource;
}

function isEqualList<Item>(
  some: readonly Item[],
  others: readonly Item[],
  isEqual: (one: Item, other: Item) => boolean,
): boolean {
  return some.length === others.length && some.every((item, index) => isEqual(item, others[index] as Item));
}

/** Returns the contexts that consist of other resources than all those of the other time. */
function withoutEqual(before: Contexts, after: Contexts): readonly [gone: Contexts, come: Contexts] {
  if (before.length === 0 || after.length === 0) return [before, after];
  const keyOf = keysOfParts();
  const young = new Map<string, EffectivePolicy<unknown>[]>();
  for (const context of after) {
    const key = keyOf(context);
    const alike = young.get(key);
    if (alike === undefined) young.set(key, [context]);
    else alike.push(context);
  }
  const left = new Set(after);
  const gone = before.filter((old) => {
    const same = young.get(keyOf(old))?.shift();
    return same === undefined || !left.delete(same);
  });
  return [gone, [...left]];
}

/** Returns a function that gives contexts of one target, before and after, the same key exactly if they consist of the same resources. */
function keysOfParts(): (context: EffectivePolicy<unknown>) => string {
  const numbers = new Map<unknown, number>();
  const numberOf = (part: unknown): number => {
    const number = numbers.get(part) ?? numbers.size;
    numbers.set(part, number);
    return number;
  };
  return (context) => partsOf(context).map(numberOf).join(' ');
}

function partsOf({ target, levels, ancestors }: EffectivePolicy<unknown>): readonly unknown[] {
  const parts: unknown[] = [target.resource];
  for (const { target: on, via, policies } of levels) {
    parts.push(on.locator, on.resource, via);
    for (const { resource } of policies) parts.push(resource);
  }
  for (const { locator } of ancestors) parts.push(locator);
  return parts;
}

/** The number of paths that are compared to pair contexts: of one context, and of a target. */
const mostPaths = { ofContext: 1000, ofTarget: 20_000 };

function paired(gone: Contexts, come: Contexts): readonly Pair[] {
  if (gone.length <= 1 && come.length <= 1) return gone.length + come.length === 0 ? [] : [[gone[0], come[0]]];
  const most = Math.min(mostPaths.ofContext, Math.ceil(mostPaths.ofTarget / Math.max(1, gone.length, come.length)));
  const left = new Set(come);
  const byPath = new Map<string, EffectivePolicy<unknown>>(); // A path is in one context only.
  if (gone.length > 0) for (const young of come) for (const path of pathsOf(young, most)) byPath.set(path, young);
  const places = new Map(come.map((young, place) => [young, place]));
  const pairs = gone.map((old): Pair => {
    let match: EffectivePolicy<unknown> | undefined;
    for (const path of come.length === 0 ? [] : pathsOf(old, most)) {
      const young = byPath.get(path);
      if (young === undefined || !left.has(young)) continue;
      if (match === undefined || (places.get(young) ?? 0) < (places.get(match) ?? 0)) match = young;
    }
    if (match !== undefined) left.delete(match);
    return [old, match];
  });
  const [young, ...others] = left;
  const [alone, ...more] = pairs.filter(([, match]) => match === undefined);
  // One that goes and one that comes is one that changes, even if no path is the same.
  if (young !== undefined && others.length === 0 && alone !== undefined && more.length === 0) {
    return pairs.map((pair) => (pair === alone ? [alone[0], young] : pair));
  }
  return [...pairs, ...[...left].map((it): Pair => [undefined, it])];
}

function pathsOf(context: EffectivePolicy<unknown>, most: number): readonly string[] {
  const paths: string[] = [];
  for (const path of context.paths({ limit: Number.POSITIVE_INFINITY })) {
    if (paths.length >= most) break;
    paths.push(path.map(({ locator }) => locator).join(' '));
  }
  return paths;
}
