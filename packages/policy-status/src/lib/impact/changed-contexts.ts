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
 * paired by shared paths.
 *
 * @param targets Locators of the targets. Default: all.
 */
export function changedContexts(
  before: EffectivePolicies<unknown>,
  after: EffectivePolicies<unknown>,
  targets: Iterable<string> = allTargets(before, after),
): readonly ChangedContext[] {
  return [...targets].flatMap((target) => {
    const [gone, come] = withoutEqual(before.of(target), after.of(target));
    return paired(gone, come).map(([old, young]) => ({ target, before: old, after: young }));
  });
}

function allTargets(...views: readonly EffectivePolicies<unknown>[]): Iterable<string> {
  return new Set(views.flatMap(({ targets }) => Array.from(targets, ({ locator }) => locator)));
}

type Contexts = readonly EffectivePolicy<unknown>[];

type Pair = readonly [EffectivePolicy<unknown> | undefined, EffectivePolicy<unknown> | undefined];

function withoutEqual(before: Contexts, after: Contexts): readonly [gone: Contexts, come: Contexts] {
  const [[was, ...others], [is, ...more]] = [before, after];
  if (was === undefined || is === undefined) return [before, after];
  if (others.length + more.length === 0) return isAlike(was, is) ? [[], []] : [before, after];
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

/** Returns whether two contexts of one target consist of the same resources. */
function isAlike(one: EffectivePolicy<unknown>, other: EffectivePolicy<unknown>): boolean {
  return [levelsIn, ancestorsIn].every((partsIn) => isSameList(partsIn(one), partsIn(other)));
}

function isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index]);
}

function partsOf(context: EffectivePolicy<unknown>): readonly unknown[] {
  return [...levelsIn(context), ...ancestorsIn(context)];
}

function levelsIn({ target, levels }: EffectivePolicy<unknown>): readonly unknown[] {
  const parts: unknown[] = [target.resource];
  for (const { target: on, via, policies } of levels) {
    parts.push(on.locator, on.resource, via);
    for (const { resource } of policies) parts.push(resource);
  }
  return parts;
}

function ancestorsIn({ ancestors }: EffectivePolicy<unknown>): readonly unknown[] {
  return ancestors.map(({ locator }) => locator);
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
