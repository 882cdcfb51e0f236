/**
 * What it costs to look for a regular expression in a text, in steps. An estimate from above, from what was measured.
 *
 * The engine (RE2) takes a time of O(text x program), and repeated counts write out the program: `(a|b){900}` is 900 times
 * as long as it looks. RE2 refuses repetitions that make more than 1000 of one, nested ones included.
 */
export function regexSteps(pattern: string, text: string): number {
  const count = (part: RegExp): number => pattern.match(part)?.length ?? 0;
  const program = pattern.length * Math.min(longestRepetition(pattern), 1000);
  const wideRanges = ignoresCase.test(pattern) ? count(/-(?:\\x\{|\P{ASCII})/gu) : 0;
  const setUp = 50 + 5 * pattern.length + 1000 * count(/\\p/gi) + 20_000 * wideRanges;
  return setUp + (program * (text.length + 10)) / movesPerStep;
}

/** `(?i)` makes the engine go through every character of a range, of which Unicode has a million. */
const ignoresCase = /\(\?[a-zA-Z-]*i/;

/** A move of the engine takes much less than a step. */
const movesPerStep = 16;

function longestRepetition(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  return counts.reduce((product, times) => product * Math.max(1, times), 1);
}
