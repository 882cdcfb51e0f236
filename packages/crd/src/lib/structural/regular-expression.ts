/** The features of JavaScript's regular expressions that Go's, which the API server uses, lack. */
const foreign: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\(\?<?[=!]/, 'looks ahead or behind'],
  [/^\\[1-9k]/, 'refers back to a group'],
  [/^\\u/, 'has \\u escapes'],
  [/^\\c/, 'has control escapes'],
  [/^\[\^?\]/, 'has an empty class'],
  [/^\\p\{[^}]*=/i, 'names a property of characters and its value'],
];

/**
 * Returns why the API server would refuse a regular expression of JSON Schema; `undefined` if it would not. The API server uses
 * RE2, which has nothing that takes more than linear time and allows at most 1000 repetitions.
 */
export function refusedBecause(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
  } catch {
    try {
      new RegExp(pattern);
    } catch {
      return 'is not a regular expression';
    }
  }
  for (const { index } of pattern.matchAll(/\\.|[([]/gs)) {
    const what = foreign.find(([construct]) => construct.test(pattern.slice(index)))?.[1];
    if (what !== undefined) return what;
  }
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, from, to]) => [
    Number(from),
    Number(to ?? 0),
  ]);
  return Math.max(0, ...counts) > 1000 ? 'repeats more than 1000 times' : undefined;
}
