import type { Contest } from './contest.ts';
import type { Cell } from './region.ts';

/** Returns all texts that the matches of contests compare. */
export function textsIn(contests: readonly Contest[]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { hostname = '' } of contests.flatMap(({ entry }) => entry.listeners)) texts.add(hostname);
  for (const { matches } of new Set(contests.flatMap(({ floors }) => floors))) {
    for (const { match } of matches) {
      texts.add(match.match.hostname);
      for (const { name, value } of match.conditions) texts.add(name).add(value);
    }
  }
  return texts;
}

/** Returns all texts that a cell compares. */
export function textsInCell({ hostname = '', path, method = '', headers, query }: Cell): readonly string[] {
  const pairs = [...headers, ...query].flatMap(([name, value = '']) => [name, value]);
  return [hostname, path?.value ?? '', method, ...pairs];
}
