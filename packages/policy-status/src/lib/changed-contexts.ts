import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';

/** An effective policy that comes, goes, or is made of something else. */
export interface ChangedContext {
  /** Locator of the target. */
  readonly target: string;
  readonly before: EffectivePolicy<unknown> | undefined;
  readonly after: EffectivePolicy<unknown> | undefined;
}

/**
 * Compares the contexts of all targets before and after a change. Those in which the same policies meet are left out without
 * merging them; of the others, those that share a path are compared with each other.
 */
export function changedContexts(
  before: EffectivePolicies<unknown>,
  after: EffectivePolicies<unknown>,
): readonly ChangedContext[] {
  const locators = new Set([...before.targets, ...after.targets].map(({ locator }) => locator));
  return [...locators].flatMap((target) => {
    const [gone, come] = withoutEqual(before.of(target), after.of(target));
    return paired(gone, come).map(([old, young]) => ({ target, before: old, after: young }));
  });
}

type Contexts = readonly EffectivePolicy<unknown>[];

type Pair = readonly [EffectivePolicy<unknown> | undefined, EffectivePolicy<unknown> | undefined];

function withoutEqual(before: Contexts, after: Contexts): readonly [gone: Contexts, come: Contexts] {
  const left = [...after];
  const gone = before.filter((old) => {
    const index = left.findIndex((young) => isMadeOfSame(old, young));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [gone, left];
}

/** Whether two contexts, of one target before and after, are made of the very same resources. */
function isMadeOfSame(a: EffectivePolicy<unknown>, b: EffectivePolicy<unknown>): boolean {
  return isSameList(partsOf(a), partsOf(b));
}

function partsOf({ target, levels, ancestors }: EffectivePolicy<unknown>): readonly unknown[] {
  const inLevels = levels.flatMap(({ target: on, via, policies }) => [
    on.locator,
    on.resource,
    via,
    ...policies.map(({ resource }) => resource),
  ]);
  return [target.resource, ...inLevels, ...ancestors.map(({ locator }) => locator)];
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** As many paths as are looked at in order to find out which contexts belong together. */
const mostPaths = 1000;

function paired(gone: Contexts, come: Contexts): readonly Pair[] {
  const left = new Map(come.map((young) => [young, pathsOf(young)]));
  const pairs = gone.map((old): Pair => {
    const paths = pathsOf(old);
    const match = [...left].find(([, others]) => [...paths].some((path) => others.has(path)))?.[0];
    if (match !== undefined) left.delete(match);
    return [old, match];
  });
  const [young, ...others] = left.keys();
  const [alone, ...more] = pairs.filter(([, match]) => match === undefined);
  // One that goes and one that comes is one that changes, even if no path is the same.
  if (young !== undefined && others.length === 0 && alone !== undefined && more.length === 0) {
    return pairs.map((pair) => (pair === alone ? [alone[0], young] : pair));
  }
  return [...pairs, ...[...left.keys()].map((it): Pair => [undefined, it])];
}

function pathsOf(context: EffectivePolicy<unknown>): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const path of context.paths({ limit: Number.POSITIVE_INFINITY })) {
    if (paths.size >= mostPaths) break;
    paths.add(path.map(({ locator }) => locator).join(' '));
  }
  return paths;
}
