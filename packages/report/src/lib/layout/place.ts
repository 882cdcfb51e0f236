/** A box of one column: its height, and where its top is best. */
export interface Wish {
  readonly height: number;
  readonly top: number;
}

/**
 * Places the boxes of a column below each other, as near to where they are best as the others allow: of all ways without overlaps the one with the
 * least squares of distances. O(boxes).
 *
 * @param wishes The boxes from top to bottom.
 * @param gap The least distance between two boxes.
 * @returns The top of each box.
 */
export function placeColumn(wishes: readonly Wish[], gap: number): readonly number[] {
  let offset = 0;
  const offsets = wishes.map(({ height }) => {
    const own = offset;
    offset += height + gap;
    return own;
  });
  // Boxes that push each other stand together as a block, around the mean of what they wish.
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
  return offsets.map((own, index) => own + (bases[index] ?? 0));
}
