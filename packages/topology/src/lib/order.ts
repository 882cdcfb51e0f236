import type { LinkOrigins } from './links.ts';
import { loopError } from './loop-error.ts';
import { entryAt, type Position, positionsAfter } from './position.ts';
import type { TargetNode } from './target-node.ts';

/**
 * Orders all positions so that each comes after every position that leads to it (Kahn's algorithm, iterative).
 *
 * @param origins The references that made the links, to be named where they make a loop.
 * @throws {PolicyMachineryError} `loop`, with one issue for each loop that shares no target with the others.
 */
export function orderPositions(targets: Iterable<TargetNode>, origins: LinkOrigins): readonly Position[] {
  const slots = new Map<TargetNode, Slots>();
  for (const node of targets) slots.set(node, slotsOf(node));

  const incoming = new Map<Position, number>();
  const all = [...slots.values()].flatMap(({ entered, contained }) => (contained ? [entered, contained] : [entered]));
  const after = (position: Position): Position[] =>
    [...positionsAfter(position)].map(({ node, entered }) => {
      const slot = slots.get(node) as Slots;
      return entered ? slot.entered : (slot.contained as Position);
    });
  for (const position of all) for (const next of after(position)) incoming.set(next, (incoming.get(next) ?? 0) + 1);

  const order = all.filter((position) => !incoming.has(position));
  for (let at = 0; at < order.length; at += 1) {
    for (const next of after(order[at] as Position)) {
      const left = (incoming.get(next) ?? 0) - 1;
      incoming.set(next, left);
      if (left === 0) order.push(next);
    }
  }
  if (order.length < all.length) {
    const left = new Set(all.filter((position) => (incoming.get(position) ?? 0) > 0));
    throw loopError([...left], (position) => after(position).filter((next) => left.has(next)), origins);
  }
  return order;
}

/** One object per position, so that positions can be keys. */
interface Slots {
  readonly entered: Position;
  readonly contained?: Position;
}

function slotsOf(node: TargetNode): Slots {
  const entered = entryAt(node);
  return node.section === undefined ? { entered } : { entered, contained: { node, entered: false } };
}
