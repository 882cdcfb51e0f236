import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { groupedBy } from '@policy-machinery/resource/inner';

/** The contexts of a target, before or after a change. */
export type Contexts = readonly EffectivePolicy<unknown>[];

/** A context before and after a change; `undefined` where it does not exist. */
export type Pair = readonly [before: EffectivePolicy<unknown> | undefined, after: EffectivePolicy<unknown> | undefined];

/**
 * Pairs contexts of a target before and after a change that share paths. Contexts that consist of the same resources are left out.
 *
 * @param oldContexts The contexts before the change.
 * @param newContexts The contexts after the change.
 * @returns The pairs. A context that shares no path with another is alone, unless exactly one is removed and one is added.
 */
export function pairedByPaths(oldContexts: Contexts, newContexts: Contexts): readonly Pair[] {
  return paired(...withoutEqual(oldContexts, newContexts));
}

/** Returns the contexts of each side without a counterpart of the same resources on the other side. */
function withoutEqual(oldContexts: Contexts, newContexts: Contexts): readonly [gone: Contexts, come: Contexts] {
  if (oldContexts.length === 0 || newContexts.length === 0) return [oldContexts, newContexts];
  const keyOf = keysOfParts();
  const young: ReadonlyMap<string, EffectivePolicy<unknown>[]> = groupedBy(newContexts, keyOf);
  const unpaired = new Set(newContexts);
  const unequal = oldContexts.filter((old) => {
    const same = young.get(keyOf(old))?.shift();
    return same === undefined || !unpaired.delete(same);
  });
  return [unequal, [...unpaired]];
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

function paired(removed: Contexts, added: Contexts): readonly Pair[] {
  if (removed.length <= 1 && added.length <= 1)
    return removed.length + added.length === 0 ? [] : [[removed[0], added[0]]];
  const most = Math.min(mostPaths.ofContext, Math.ceil(mostPaths.ofTarget / Math.max(1, removed.length, added.length)));
  const unpaired = new Set(added);
  const byPath = new Map<string, EffectivePolicy<unknown>>(); // A path is in one context only.
  if (removed.length > 0) for (const young of added) for (const path of pathsOf(young, most)) byPath.set(path, young);
  const places = new Map(added.map((young, place) => [young, place]));
  const pairs = removed.map((old): Pair => {
    let match: EffectivePolicy<unknown> | undefined;
    for (const path of added.length === 0 ? [] : pathsOf(old, most)) {
      const young = byPath.get(path);
      if (young === undefined || !unpaired.has(young)) continue;
      if (match === undefined || (places.get(young) ?? 0) < (places.get(match) ?? 0)) match = young;
    }
    if (match !== undefined) unpaired.delete(match);
    return [old, match];
  });
  const [young, ...others] = unpaired;
  const [alone, ...more] = pairs.filter(([, match]) => match === undefined);
  // If one context is removed and one added, it is one that changes, even if they share no path.
  if (young !== undefined && others.length === 0 && alone !== undefined && more.length === 0) {
    return pairs.map((pair) => (pair === alone ? [alone[0], young] : pair));
  }
  return [...pairs, ...[...unpaired].map((it): Pair => [undefined, it])];
}

function pathsOf(context: EffectivePolicy<unknown>, most: number): readonly string[] {
  const paths: string[] = [];
  for (const path of context.paths({ limit: Number.POSITIVE_INFINITY })) {
    if (paths.length >= most) break;
    paths.push(path.map(({ locator }) => locator).join(' '));
  }
  return paths;
}
