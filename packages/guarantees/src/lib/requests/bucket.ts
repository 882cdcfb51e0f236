import type { ConcreteRequest } from './concrete-request.ts';
import { keyLiteral, type LiteralOf, type RankedMatch } from './contender.ts';

/**
 * Matches that compare the same hostname and path. Each is filed under one of its conditions, the rarest, so that a request is compared only with
 * matches that it may meet.
 */
export interface Bucket {
  readonly matches: ReadonlyMap<string, readonly RankedMatch[]>;
  /** The lengths of the literal texts that regular expressions need. */
  readonly lengths: readonly number[];
}

/** Returns a bucket of matches, which are in order of precedence. O(conditions). */
export function bucketOf(matches: readonly RankedMatch[], literal: LiteralOf): Bucket {
  const counts = new Map<string, number>();
  const literals = new Set<string>();
  const keys = matches.map((match) => keysOf(match, literal, literals));
  for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const bucket = new Map<string, RankedMatch[]>();
  matches.forEach((match, index) => {
    const own = keys[index] ?? [];
    const rarest = own.reduce(
      (least, key) => ((counts.get(key) ?? 0) < (counts.get(least) ?? 0) ? key : least),
      own[0] ?? '',
    );
    const there = bucket.get(rarest);
    if (there === undefined) bucket.set(rarest, [match]);
    else there.push(match);
  });
  return { matches: bucket, lengths: lengthsOf(literals) };
}

/** Returns the keys of the conditions on the method, headers and query parameters: exact values, and literal texts of regular expressions. */
function keysOf({ match: { conditions } }: RankedMatch, literal: LiteralOf, literals: Set<string>): readonly string[] {
  return conditions.flatMap(({ field, name, type, value }) => {
    if (field !== 'method' && field !== 'header' && field !== 'query') return [];
    if (type === 'Exact') return [keyOf(field, name, value)];
    const part = type === 'RegularExpression' ? keyLiteral(literal(value)) : '';
    if (part === '') return [];
    literals.add(part);
    return [partKey(field, name, part)];
  });
}

/** Returns the keys under which matches of a bucket may be filed that a request meets. */
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
