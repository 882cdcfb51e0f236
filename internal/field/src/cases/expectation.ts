import type { Lines } from './lines.ts';

/** What must be true of the answers for a case: something of the lines of a place, or one of several lists of such expectations. */
export type Expectation =
  | {
      /** The places: `effective`, `request https://shop.example.com`. */
      readonly where: string | readonly string[];
      /** A text that a line has; in slashes, a pattern that a line matches. */
      readonly has: string;
      /** Whether no line may have it. Default: one must. */
      readonly not?: boolean;
      /** How many lines must have it. Default: one or more. */
      readonly times?: number;
    }
  | { readonly any: readonly (readonly Expectation[])[] };

/** Returns what is not as expected, as sentences; none if all is. */
export async function faultsOf(expectations: readonly Expectation[], lines: Lines): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const expectation of expectations) faults.push(...(await faultsIn(expectation, lines)));
  return faults;
}

async function faultsIn(expectation: Expectation, lines: Lines): Promise<readonly string[]> {
  if ('any' in expectation) {
    const alternatives: (readonly string[])[] = [];
    for (const each of expectation.any) alternatives.push(await faultsOf(each, lines));
    if (alternatives.some((faults) => faults.length === 0)) return [];
    return [alternatives.map((faults) => faults.join(' and ')).join('; or ')];
  }
  const { where, has, not = false, times } = expectation;
  const matches = matcher(has);
  const faults: string[] = [];
  const places = typeof where === 'string' ? [where] : where;
  const found = new Map<string, readonly string[]>();
  for (const place of places) found.set(place, (await lines(place)).filter(matches));
  const all = [...found.values()].flat();
  if (not && all.length > 0) faults.push(`${places.join(', ')} must not have ${has}: ${all[0]}`);
  if (!not && (times === undefined ? all.length === 0 : all.length !== times))
    faults.push(
      `${places.join(', ')} must have ${has}${times === undefined ? '' : `, ${times} times, not ${all.length}`}`,
    );
  return faults;
}

function matcher(text: string): (line: string) => boolean {
  const [, pattern] = /^\/(.*)\/$/.exec(text) ?? [];
  if (pattern === undefined) return (line) => line.includes(text);
  const expression = new RegExp(pattern);
  return (line) => expression.test(line);
}
