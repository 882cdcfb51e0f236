import type { ConcreteRequest } from './concrete-request.ts';
import type { RankedMatch } from './contender.ts';

/**
 * Matches that compare the same hostname and path. Each is filed under one of its conditions, the rarest, so that a request is compared only with
 * matches that it may meet.
 */
export type Bucket = ReadonlyMap<string, readonly RankedMatch[]>;

/** Returns a bucket of matches, which are in order of precedence. O(conditions). */
export function bucketOf(matches: readonly RankedMatch[]): Bucket {
  const counts = new Map<string, number>();
  const keys = matches.map((match) => keysOf(match));
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
  return bucket;
}

/** Returns the keys of the exact conditions on the method, headers and query parameters. */
function keysOf({ match: { conditions } }: RankedMatch): readonly string[] {
  return conditions.flatMap(({ field, name, type, value }) =>
    type === 'Exact' && (field === 'method' || field === 'header' || field === 'query')
      ? [keyOf(field, name, value)]
      : [],
  );
}

/** Returns the keys under which matches may be filed that a request meets. */
export function keysFor({ method, headers, query }: ConcreteRequest): readonly string[] {
  return [
    '',
    keyOf('method', '', method),
    ...[...headers].map(([name, value]) => keyOf('header', name, value)),
    ...[...query].map(([name, value]) => keyOf('query', name, value)),
  ];
}

function keyOf(field: string, name: string, value: string): string {
  return `${field}\n${name}\n${value}`;
}
