import type { RegularLanguages } from '@policy-machinery/cel/languages';
import type { MatchCondition } from '@policy-machinery/gateway-api/inner';
import { groupedBy } from '@policy-machinery/resource/inner';
import { type ConcreteRequest, textOf } from './concrete-request.ts';
import { keyLiteral, type LiteralOf, type RankedMatch } from './contender.ts';

/**
 * Matches that compare the same hostname and path. Each is filed under one of its conditions, the rarest, so that a request is compared only with
 * matches that it may meet.
 */
export interface Bucket {
  readonly matches: ReadonlyMap<string, Candidates>;
  /** The lengths of the literal texts that regular expressions need. */
  readonly lengths: readonly number[];
}

/** Returns lists of matches, each in order of precedence: all matches of a list that a request may meet. */
export type Candidates = (request: ConcreteRequest) => Iterable<readonly RankedMatch[]>;

/** The engines that find matches with regular expressions. */
export type Languages = Pick<RegularLanguages, 'literal' | 'candidates'> | undefined;

/** Returns a bucket of matches, which are in order of precedence. O(conditions). */
export function bucketOf(matches: readonly RankedMatch[], languages: Languages): Bucket {
  const literals = new Set<string>();
  const keysOfMatch = (match: RankedMatch): readonly string[] => keysOf(match, languages?.literal, literals);
  const rarest = rarestOf(matches, keysOfMatch, (key) => key);
  const lists = groupedBy(matches, (match) => rarest(match) ?? '');
  return {
    matches: new Map([...lists].map(([key, list]) => [key, candidatesIn(list, languages)])),
    lengths: lengthsOf(literals),
  };
}

/** Returns a function that returns the rarest item of a match: the one that the fewest matches have. */
function rarestOf<Item>(
  matches: readonly RankedMatch[],
  itemsOf: (match: RankedMatch) => readonly Item[],
  keyOfItem: (item: Item) => string,
): (match: RankedMatch) => Item | undefined {
  const counts = new Map<string, number>();
  const items = new Map(matches.map((match) => [match, itemsOf(match)]));
  for (const key of [...items.values()].flat().map(keyOfItem)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const countOf = (item: Item): number => counts.get(keyOfItem(item)) ?? 0;
  return (match) => {
    const [first, ...others] = items.get(match) ?? [];
    return others.reduce((least, item) => (countOf(item) < countOf(least ?? item) ? item : least), first);
  };
}

/** Returns a function that finds matches: regular expressions for one field are asked at once, of each match the one that the fewest have. */
function candidatesIn(matches: readonly RankedMatch[], languages: Languages): Candidates {
  const rarest = rarestOf(matches, ({ expressions }) => expressions, keyOfExpression);
  const asked = matches.flatMap((match) => ({ match, condition: rarest(match) }));
  const fields = groupedBy(asked, ({ condition }) => (condition ? keyOf(condition.field, condition.name, '') : ''));
  const finders = [...fields.values()].map((group): Candidates => {
    const lists = groupedBy(group, ({ condition }) => condition?.value ?? '');
    const all = [...lists.values()].map((list) => list.map(({ match }) => match));
    const condition = group[0]?.condition;
    if (condition === undefined || languages === undefined || lists.size === 1) return () => all;
    const candidates = languages.candidates([...lists.keys()]);
    return (request) => {
      const text = textOf(request, condition);
      return text === undefined ? [] : candidates(text).map((index) => all[index] ?? []);
    };
  });
  return finders.length === 1 && finders[0] !== undefined
    ? finders[0]
    : (request) => finders.flatMap((find) => [...find(request)]);
}

function keyOfExpression({ field, name, value }: MatchCondition): string {
  return keyOf(field, name, value);
}

/** Returns the keys of the conditions on the method, headers and query parameters: exact values, and literal texts of regular expressions. */
function keysOf(
  { match: { conditions } }: RankedMatch,
  literal: LiteralOf | undefined,
  literals: Set<string>,
): readonly string[] {
  return conditions.flatMap(({ field, name, type, value }) => {
    if (field !== 'method' && field !== 'header' && field !== 'query') return [];
    if (type === 'Exact') return [keyOf(field, name, value)];
    const part = type === 'RegularExpression' ? keyLiteral(literal?.(value) ?? '') : '';
    if (part === '') return [];
    literals.add(part);
    return [partKey(field, name, part)];
  });
}

/** Returns the keys of the matches in a bucket that a request may meet. */
export function keysFor({ method, headers, query }: ConcreteRequest, { lengths }: Bucket): readonly string[] {
  const keysOfPairs = (field: string, pairs: ReadonlyMap<string, string>): readonly string[] =>
    [...pairs].flatMap(([name, value]) => [
      keyOf(field, name, value),
      ...partsIn(value, lengths).map((part) => partKey(field, name, part)),
    ]);
  return ['', keyOf('method', '', method), ...keysOfPairs('header', headers), ...keysOfPairs('query', query)];
}

function keyOf(field: string, name: string, value: string): string {
  return `${field}\n${name}\n${value}`;
}

function partKey(field: string, name: string, part: string): string {
  return `${field} with\n${name}\n${part}`;
}

/** Returns the lengths of texts, each once, without 0. */
export function lengthsOf(texts: ReadonlySet<string>): readonly number[] {
  return [...new Set([...texts].map(({ length }) => length))].filter((length) => length > 0);
}

/** Returns the parts of a text that have some lengths, each once. */
export function partsIn(text: string, lengths: readonly number[]): readonly string[] {
  if (lengths.length === 0) return [];
  const parts = lengths.flatMap((length) =>
    Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) => text.slice(start, start + length)),
  );
  return [...new Set(parts)];
}
