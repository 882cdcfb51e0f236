/**
 * Returns the cost of matching a regular expression in a text, in steps. The estimate is an upper bound based on measurements.
 *
 * The engine (RE2) takes O(text x program), and counted repetitions expand the program: `(a|b){900}` is 900 times as long as it
 * looks. RE2 refuses more than 1000 repetitions, including nested ones.
 */
export function regexSteps(pattern: string, text: string): number {
  const count = (part: RegExp): number => pattern.match(part)?.length ?? 0;
  const program = pattern.length * Math.min(longestRepetition(pattern), 1000);
  const wideRanges = ignoresCase.test(pattern) ? count(/-(?:\\x\{|\P{ASCII})/gu) : 0;
  const setUp = 50 + 5 * pattern.length + 1000 * count(/\\p/gi) + 20_000 * wideRanges;
  return setUp + (program * (text.length + 10)) / movesPerStep;
}

/** `(?i)` makes the engine visit every character of a range, and Unicode has a million. */
const ignoresCase = /\(\?[a-zA-Z-]*i/;

/** A move of the engine takes much less than a step. */
const movesPerStep = 16;

function longestRepetition(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  return counts.reduce((product, times) => product * Math.max(1, times), 1);
}
