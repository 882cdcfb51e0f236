/**
 * Returns the names that are close to a misspelled word.
 *
 * @returns The names that differ from the word in at most a third of the characters of its longest part between dots and slashes
 * (always in one), the closest first, at most three, each once. Swapped neighbors count as one. Case does not count.
 */
export function closestNames(word: string, names: readonly string[]): readonly string[] {
  const longest = Math.max(...word.split(/[./]/).map((part) => part.length));
  const limit = Math.max(1, Math.floor(longest / 3));
  return [...new Set(names)]
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Returns a question with the names that are close to a misspelled word; without any, another remedy. */
export function suggestion(word: string, names: readonly string[], otherwise: string): string {
  const closest = closestNames(word, names);
  return closest.length > 0 ? `did you mean ${closest.join(' or ')}?` : otherwise;
}

/** Returns how many characters to add, remove or replace, or neighbors to swap, to turn one word into the other, counted up to a limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const lines = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => lines[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    lines.push(line);
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : replaced;
      line.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
