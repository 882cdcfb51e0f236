/** The strategies of the random worlds: as the packages know them, and as plain data from which both sides work. */
import {
  append,
  appendText,
  atomic,
  customStrategy,
  type FieldStrategy,
  fieldWise,
  jsonPatch,
  type MergeStrategy,
  namedRules,
  none,
  patch,
  shallow,
  union,
} from '@policy-machinery/merge';

/** What becomes of two values that meet at one path. */
export type LeafRule = 'replace' | 'merge' | { readonly keys: readonly string[] } | 'append' | 'appendText' | 'union';

/** A field-wise strategy as plain data. */
export interface LeafRules {
  readonly depth?: number;
  readonly at?: Readonly<Record<string, LeafRule>>;
  readonly nullRemoves?: boolean;
}

const keyed = {
  '/items': { keys: ['name'] },
  '/items/*/tags': 'append',
  '/list': 'union',
  '/p/items': { keys: ['name', 'zone'] },
} as const;
const joined = { '/list': 'append', '/text': 'appendText', '/p/list': 'append' } as const;

/** The field-wise strategies, by name. */
export const leafRules = {
  fields: {},
  shallow: { depth: 1 },
  twoDeep: { depth: 2, nullRemoves: true },
  replaced: { at: { '/p': 'replace', '/q/*': 'replace' }, nullRemoves: true },
  stars: { depth: 1, at: { '/*/q': 'merge', '/p/r~1s': 'merge' } },
  merged: { depth: 1, at: { '/p/q': 'merge' }, nullRemoves: true },
  keyed: { at: keyed },
  keyedFlat: { depth: 1, at: keyed, nullRemoves: true },
  strategic: { at: { '/items': { keys: ['name'] } }, nullRemoves: true },
  experimental: { at: { '/items': { keys: ['name'] }, '/q': 'replace' }, nullRemoves: true },
  joined: { at: joined },
  joinedFlat: { depth: 1, at: joined },
  rules: { depth: 1, at: { '/p': 'merge', '/q/*': 'merge' } },
} as const satisfies Record<string, LeafRules>;

type Spec = { readonly [field: string]: unknown };

/** Defaults: the greater `n`, and both lists. Overrides: the lesser `n`, and all fields that the challenger has not. */
const custom = customStrategy<Spec>({
  defaults: (draft, { n, list }) => {
    if (typeof n === 'number') draft.n = typeof draft.n === 'number' ? Math.max(draft.n, n) : n;
    if (Array.isArray(list)) draft.list = Array.isArray(draft.list) ? [...draft.list, ...list] : list;
  },
  overrides: (draft, established) => {
    const { n } = established;
    const least = typeof n === 'number' && typeof draft.n === 'number' ? { n: Math.min(n, draft.n) } : {};
    return { ...established, ...draft, ...least };
  },
});

const combinations = { append, appendText: appendText('+'), union };

function meetingOf(rule: LeafRule): FieldStrategy {
  const isCombination = rule === 'append' || rule === 'appendText' || rule === 'union';
  return isCombination ? combinations[rule] : rule;
}

function meetingsOf(at: Readonly<Record<string, LeafRule>>): Record<string, FieldStrategy> {
  return Object.fromEntries(Object.entries(at).map(([pointer, rule]) => [pointer, meetingOf(rule)]));
}

function fieldWiseBy({ at, ...rules }: LeafRules): MergeStrategy {
  return fieldWise({ ...rules, ...(at === undefined ? {} : { at: meetingsOf(at) }) });
}

const fieldWiseStrategies = Object.fromEntries(
  Object.entries<LeafRules>(leafRules).map(([name, rules]) => [name, fieldWiseBy(rules)]),
) as Record<keyof typeof leafRules, MergeStrategy>;

/** All strategies, as the packages know them. */
export const strategies = {
  none,
  atomic,
  patch,
  jsonPatch: jsonPatch(),
  custom,
  ...fieldWiseStrategies,
  shallow,
  rules: namedRules('/p', '/q/*'),
} satisfies Record<string, MergeStrategy>;

export type StrategyName = keyof typeof strategies;

/** Those that merge: None cannot stand beside them. */
export const merging = (Object.keys(strategies) as StrategyName[]).filter((name) => name !== 'none');

/** Those whose results consist of values as the policies say them. */
export const takesAsIs: ReadonlySet<StrategyName> = new Set<StrategyName>([
  'none',
  'atomic',
  'patch',
  'fields',
  'shallow',
  'twoDeep',
  'replaced',
  'stars',
  'merged',
  'strategic',
  'experimental',
  'rules',
]);
