import { PolicyMachineryError } from '@policy-machinery/resource';
import { entryAt, type Position, positionsAfter } from './position.ts';
import { byLocator, type TargetNode } from './target-node.ts';

/**
 * Orders all positions so that each comes after every position that leads to it (Kahn's algorithm, iterative).
 *
 * @throws {PolicyMachineryError} `loop`, with the targets of one loop, in order.
 */
export function orderPositions(targets: Iterable<TargetNode>): readonly Position[] {
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
  if (order.length < all.length)
    throw loopError(
      all.filter((position) => (incoming.get(position) ?? 0) > 0),
      after,
    );
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

/** Follows what is left until a target comes again. */
function loopError(left: readonly Position[], after: (position: Position) => Position[]): PolicyMachineryError {
  const remaining = new Set(left);
  const before = new Map<Position, Position>();
  for (const position of remaining) {
    for (const next of after(position)) if (remaining.has(next) && !before.has(next)) before.set(next, position);
  }
  // Each of them has one before it that is left too: going back must come round.
  const trail = new Set<Position>();
  let at = [...remaining]
    .sort((a, b) => byLocator(a.node, b.node))
    .find((position) => before.has(position)) as Position;
  while (!trail.has(at)) {
    trail.add(at);
    at = before.get(at) as Position;
  }
  const steps = [...trail];
  const round = steps.slice(steps.indexOf(at)).reverse();
  const loop = rotate(round.map(({ node }) => node).filter((node, index, nodes) => node !== nodes[index - 1]));
  const locators = [...loop, loop[0] as TargetNode].map(({ locator }) => locator);
  return new PolicyMachineryError('loop', 'The links form a loop; remove one of its references', [
    { code: 'loop', severity: 'error', message: locators.join(' → '), resource: locators[0] as string },
  ]);
}

/** Begins with the first locator, so that one loop always reads the same. */
function rotate(loop: readonly TargetNode[]): readonly TargetNode[] {
  const [first] = [...loop].sort(byLocator);
  const start = loop.indexOf(first as TargetNode);
  return [...loop.slice(start), ...loop.slice(0, start)];
}
