// layout/: where the boxes of a layered drawing stand, columns from left to right. Ranks put boxes into columns, order sorts each column so that few
// lines cross, and place gives each box its height on the page. Everything is linear in boxes and lines, up to sorting, and depends on keys and not
// on the order of what it is given.

/** A line from one box to another, by their places. */
export type Line = readonly [from: number, to: number];

/**
 * Returns the column of each box: one after the last column of those that lead to it. Of lines in a circle, one is ignored.
 *
 * @param count How many boxes there are.
 * @param lines The lines.
 * @param least The first column that each box may have. Default 0.
 */
export function ranksOf(
  count: number,
  lines: readonly Line[],
  least: (box: number) => number = () => 0,
): readonly number[] {
  const ranks = Array.from({ length: count }, (_, box) => least(box));
  const after = Array.from({ length: count }, (): number[] => []);
  const open = new Array<number>(count).fill(0);
  for (const [from, to] of lines) {
    if (from === to) continue;
    after[from]?.push(to);
    open[to] = (open[to] ?? 0) + 1;
  }
  const isDone = new Array<boolean>(count).fill(false);
  const ready = ranks.flatMap((_, box) => (open[box] === 0 ? [box] : []));
  let next = 0;
  for (let left = count; left > 0; left -= 1) {
    while (ready.length === 0 && isDone[next] === true) next += 1;
    const box = ready.pop() ?? next; // All that is left is in circles, or below one: the first box of them begins.
    if (isDone[box] === true) {
      left += 1;
      continue;
    }
    isDone[box] = true;
    for (const to of after[box] ?? []) {
      if (isDone[to] === true) continue;
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[box] ?? 0) + 1);
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) ready.push(to);
    }
  }
  return ranks;
}
