/**
 * Returns the names that are close to a misspelled word.
 *
 * @returns The names that differ from the word in at most a third of its characters (always in one), the closest first, at most
 * three, each once. Case does not count.
 */
export function closestNames(word: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Returns how many characters to add, remove or replace to turn one word into the other, counted up to a limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of [...a].entries()) {
    const line = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const [replaced = 0, removed = 0] = above.slice(column - 1, column + 1);
      const added = line[column - 1] ?? 0;
      line.push(Math.min(replaced + (character === b[column - 1] ? 0 : 1), removed + 1, added + 1));
    }
    above = line;
  }
  return above[b.length] ?? 0;
}
