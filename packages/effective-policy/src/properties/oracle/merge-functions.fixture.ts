/** What each strategy does, in plain recursive code on plain documents. */
import { type LeafRule, type LeafRules, leafRules, type StrategyName } from '../strategies.fixture.ts';
import { type Doc, fieldOf, gone, isDoc, visible, withRemovalsOf } from './documents.fixture.ts';
import { applyOperations, unescaped } from './json-patch.fixture.ts';

type Stanza = 'defaults' | 'overrides';

/** Combines two documents (M-01). */
export type MergeFunction = (established: Doc, challenger: Doc, stanza: Stanza) => Doc;

/** Under defaults the established one yields, under overrides the challenger (M-03 to M-06). */
function bySides(merge: (yielding: Doc, prevailing: Doc) => Doc): MergeFunction {
  return (established, challenger, stanza) =>
    stanza === 'defaults' ? merge(established, challenger) : merge(challenger, established);
}

/** RFC 7386. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isDoc(patch)) return patch;
  const result: Doc = isDoc(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    result[key] = value === null || value === gone ? gone : mergePatch(fieldOf(result, key), value);
  }
  return result;
}

function fieldWise(rules: LeafRules) {
  return (yielding: Doc, prevailing: Doc): Doc => mergeDocs(yielding, prevailing, [], rules);
}

function mergeDocs(yielding: Doc, prevailing: Doc, path: readonly string[], rules: LeafRules): Doc {
  const result: Doc = { ...yielding };
  for (const [key, value] of Object.entries(prevailing)) {
    const isRemoval = value === gone || (value === null && rules.nullRemoves === true);
    result[key] = isRemoval ? gone : meet(fieldOf(yielding, key), value, [...path, key], rules);
  }
  return result;
}

/** What two values at one path come to. */
function meet(yielding: unknown, prevailing: unknown, path: readonly string[], rules: LeafRules): unknown {
  const rule = ruleAt(path, rules);
  if (rule === 'replace') return prevailing;
  if (rule === 'merge') {
    return isDoc(prevailing) ? mergeDocs(isDoc(yielding) ? yielding : {}, prevailing, path, rules) : prevailing;
  }
  if (typeof rule === 'object') return mergeItems(yielding, prevailing, path, rules, rule.keys) ?? prevailing;
  return joined(rule, prevailing, yielding) ?? prevailing;
}

/** Returns the rule at a path: that of the most literal pattern; objects on the way to one are merged; else the depth decides. */
function ruleAt(path: readonly string[], { at = {}, depth = Number.POSITIVE_INFINITY }: LeafRules): LeafRule {
  const patterns = Object.entries(at).map(([pointer, rule]) => ({ keys: pointer.split('/').slice(1), rule }));
  const fitting = patterns.filter(({ keys }) =>
    path.every((key, index) => keys[index] === '*' || fits(keys[index], key)),
  );
  const exact = fitting.filter(({ keys }) => keys.length === path.length);
  const [best] = exact.sort((a, b) => (stars(a.keys) < stars(b.keys) ? -1 : 1));
  if (best !== undefined) return best.rule;
  return fitting.length > 0 || path.length < depth ? 'merge' : 'replace';
}

function fits(segment: string | undefined, key: string): boolean {
  return segment !== undefined && unescaped(segment) === key;
}

/** For sorting: where the first star is later, the pattern is more literal. */
function stars(keys: readonly string[]): string {
  return keys.map((key) => (key === '*' ? '1' : '0')).join('');
}

/** Items of one key are merged (M-17). */
function mergeItems(
  yielding: unknown,
  prevailing: unknown,
  path: readonly string[],
  rules: LeafRules,
  keys: readonly string[],
): unknown {
  const theirs = byKey(prevailing, keys);
  if (theirs === undefined) return undefined;
  const ours = byKey(yielding, keys) ?? new Map<string, Doc>();
  const item = (key: string): Doc => mergeDocs(ours.get(key) ?? {}, theirs.get(key) ?? {}, [...path, '*'], rules);
  return strategicOrder([...ours.keys()], [...theirs.keys()]).map(item);
}

/**
 * Two lists become one as in Kubernetes' strategic merge patch: the next item is the yielding list's own only if that list has the
 * next prevailing one after it.
 */
function strategicOrder<T>(yielding: readonly T[], prevailing: readonly T[]): readonly T[] {
  const own = yielding.filter((it) => !prevailing.includes(it));
  const order: T[] = [];
  let [i, j] = [0, 0];
  while (i < own.length || j < prevailing.length) {
    const [left, right] = [yielding.indexOf(own[i] as T), yielding.indexOf(prevailing[j] as T)];
    const isLeft = j >= prevailing.length || (i < own.length && left < right);
    order.push((isLeft ? own[i++] : prevailing[j++]) as T);
  }
  return order;
}

/** `undefined` where something is not an object, or a key is there twice. */
function byKey(list: unknown, keys: readonly string[]): Map<string, Doc> | undefined {
  if (!Array.isArray(list) || !list.every(isDoc)) return undefined;
  const items = new Map(list.map((item) => [JSON.stringify(keys.map((key) => visible(item)[key] ?? null)), item]));
  return items.size === list.length ? items : undefined;
}

/** Two lists, or two texts; the prevailing one first. */
function joined(rule: 'append' | 'appendText' | 'union', first: unknown, second: unknown): unknown {
  if (rule === 'union') return areScalars(first) && areScalars(second) ? united(second, first) : undefined;
  if (rule === 'append') return Array.isArray(first) && Array.isArray(second) ? [...first, ...second] : undefined;
  return typeof first === 'string' && typeof second === 'string' ? `${first}+${second}` : undefined;
}

function areScalars(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((item) => !Array.isArray(item) && !isDoc(item));
}

function united(yielding: readonly unknown[], prevailing: readonly unknown[]): readonly unknown[] {
  return strategicOrder([...new Set(yielding)], [...new Set(prevailing)]);
}

/** As the worlds' custom strategy says; what either side removed and the result has not stays removed. */
const custom: MergeFunction = (established, challenger, stanza) => {
  const [above, below] = [visible(established), visible(challenger)];
  const numbers = [above.n, below.n].filter((n): n is number => typeof n === 'number');
  const lists = [below.list, above.list].filter((list): list is unknown[] => Array.isArray(list));
  const results = {
    defaults: {
      ...below,
      ...(typeof above.n === 'number' ? { n: Math.max(...numbers) } : {}),
      ...(Array.isArray(above.list) ? { list: lists.flat() } : {}),
    },
    overrides: { ...above, ...below, ...(numbers.length === 2 ? { n: Math.min(...numbers) } : {}) },
  };
  const sides = stanza === 'defaults' ? [challenger, established] : [established, challenger];
  return withRemovalsOf(results[stanza], ...sides) as Doc;
};

const fieldWiseFunctions = Object.fromEntries(
  Object.entries<LeafRules>(leafRules).map(([name, rules]) => [name, bySides(fieldWise(rules))]),
) as Record<keyof typeof leafRules, MergeFunction>;

/** Each strategy, by name. */
export const mergeFunctions: Readonly<Record<StrategyName, MergeFunction>> = {
  none: (established) => established,
  atomic: bySides((_yielding, prevailing) => prevailing),
  patch: bySides((yielding, prevailing) => mergePatch(yielding, prevailing) as Doc),
  jsonPatch: (established, challenger, stanza) => applyOperations(established.operations, challenger, stanza),
  custom,
  ...fieldWiseFunctions,
};

/** Those under which `null` removes. */
const removing: ReadonlySet<string> = new Set([
  'patch',
  ...Object.entries<LeafRules>(leafRules).flatMap(([name, { nullRemoves }]) => (nullRemoves === true ? [name] : [])),
]);

/** Returns a spec by itself: under a strategy by which `null` removes, it removes even where nothing is there yet. */
export function settled(spec: Doc, strategy: StrategyName): Doc {
  return removing.has(strategy) ? mergeFunctions[strategy]({}, spec, 'defaults') : spec;
}
