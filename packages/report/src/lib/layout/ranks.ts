// layout/: the positions of the boxes of a layered drawing, in columns from left to right. `ranks.ts` puts boxes into columns, `order.ts` sorts each
// column so that few lines cross, and `place.ts` gives each box its top. The cost is linear in boxes and lines, apart from sorting. The
// result depends on keys and not on the order of the input.

/** A line from one box to another, by their indexes. */
export type Line = readonly [from: number, to: number];

/**
 * Returns the column of each box: the one after the columns of all boxes that lead to it. In each cycle, one line is ignored.
 *
 * @param count The number of boxes.
 * @param least The first column that each box can have. Default: 0.
 */
export function ranksOf(
  count: number,
  lines: readonly Line[],
  least: (box: number) => number = () => 0,
): readonly number[] {
  const ranks = Array.from({ length: count }, (_, box) => least(box));
  const successors = Array.from({ length: count }, (): number[] => []);
  const open = new Array<number>(count).fill(0);
  for (const [from, to] of lines) {
    if (from === to) continue;
    successors[from]?.push(to);
    open[to] = (open[to] ?? 0) + 1;
  }
  const isDone = new Array<boolean>(count).fill(false);
  const ready = ranks.flatMap((_, box) => (open[box] === 0 ? [box] : []));
  let next = 0;
  for (let remaining = count; remaining > 0; remaining -= 1) {
    while (ready.length === 0 && isDone[next] === true) next += 1;
    const box = ready.pop() ?? next; // All remaining boxes are in cycles or below one: the first of them begins.
    if (isDone[box] === true) {
      remaining += 1;
      continue;
    }
    isDone[box] = true;
    for (const to of successors[box] ?? []) {
      if (isDone[to] === true) continue;
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[box] ?? 0) + 1);
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) ready.push(to);
    }
  }
  return ranks;
}
