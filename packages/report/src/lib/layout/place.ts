/** A box of one column: its height, and the best position of its top. */
export interface Wish {
  readonly height: number;
  readonly top: number;
}

/**
 * Places the boxes of a column below each other, without overlaps and as near to their best positions as possible: with the least sum of squared
 * distances. O(boxes).
 *
 * @param wishes The boxes from top to bottom.
 * @param gap The minimum distance between two boxes.
 * @returns The top of each box.
 */
export function placeColumn(wishes: readonly Wish[], gap: number): readonly number[] {
  let offset = 0;
  const offsets = wishes.map(({ height }) => {
    const start = offset;
    offset += height + gap;
    return start;
  });
  // Boxes that push each other form a block, around the mean of their best positions.
  const blocks: { sum: number; count: number }[] = [];
  for (const [index, { top }] of wishes.entries()) {
    let block = { sum: top - (offsets[index] ?? 0), count: 1 };
    for (
      let last = blocks.at(-1);
      last !== undefined && last.sum / last.count >= block.sum / block.count;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  const bases = blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  return offsets.map((start, index) => start + (bases[index] ?? 0));
}
