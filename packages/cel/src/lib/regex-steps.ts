/**
 * Returns the cost of compiling a regular expression and matching it in a text, in steps. The estimate is an upper bound based on measurements.
 *
 * The engine (RE2) takes O(text x program), and counted repetitions expand the program: `(a|b){900}` is 900 times as long as it
 * looks. RE2 refuses more than 1000 repetitions, including nested ones.
 */
export function regexSteps(pattern: string, text: string): number {
  return compileSteps(pattern) + (programOf(pattern) * text.length) / movesPerStep;
}

/** Returns the cost of compiling a regular expression alone. */
export function compileSteps(pattern: string): number {
  const count = (part: RegExp): number => pattern.match(part)?.length ?? 0;
  const wideRanges = ignoresCase.test(pattern) ? count(/-(?:\\x\{|\P{ASCII})/gu) : 0;
  const setUp = 50 + 5 * pattern.length + 1000 * count(/\\p/gi) + 20_000 * wideRanges;
  return setUp + (10 * programOf(pattern)) / movesPerStep;
}

/** Returns the length of the program: at least the length of the pattern, with its counted repetitions written out. */
function programOf(pattern: string): number {
  // Within a quotation, brackets are none: as if all repetitions were nested. A scan takes the square of a long pattern.
  if (pattern.length > 4096 || pattern.includes('\\Q')) {
    const times = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => timesOf(least, most));
    return (
      pattern.length *
      Math.min(
        times.reduce((product, each) => product * each, 1),
        1000,
      )
    );
  }
  const groups = [0];
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(tokens)) {
    if (token === '(') groups.push(0);
    const isEnd = token === ')' && groups.length > 1;
    const added = least !== undefined ? (last + 1) * (timesOf(least, most) - 1) : isEnd ? 2 + (groups.pop() ?? 0) : 1;
    groups.push((groups.pop() ?? 0) + added);
    last = least === undefined ? added : last + added;
  }
  return groups.reduce((sum, size) => sum + size);
}

function timesOf(least: string | undefined, most: string | undefined): number {
  return Math.max(1, Number(most || least));
}

/** An escape, a class, a counted repetition or a character. */
const tokens = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** `(?i)` makes the engine visit every character of a range, and Unicode has a million. */
const ignoresCase = /\(\?[a-zA-Z-]*i/;

/** A move of the engine takes much less than a step. */
const movesPerStep = 16;
