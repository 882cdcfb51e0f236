import { type Position, positionsBefore, type TargetNode } from '@policy-machinery/topology';

/** A set of positions, told apart by their target and how a path came to it. */
export class PositionSet {
  readonly #entered = new Set<TargetNode>();
  readonly #contained = new Set<TargetNode>();

  has({ node, entered }: Position): boolean {
    return (entered ? this.#entered : this.#contained).has(node);
  }

  /** Whether the position is new. */
  add({ node, entered }: Position): boolean {
    const set = entered ? this.#entered : this.#contained;
    return set.size < set.add(node).size;
  }
}

/** All positions from which paths lead to one of the targets, these included. O(targets and links above them). */
export function positionsLeadingTo(targets: Iterable<TargetNode>): PositionSet {
  const found = new PositionSet();
  const queue: Position[] = [];
  const reach = (position: Position): void => {
    if (found.add(position)) queue.push(position);
  };
  for (const node of targets) {
    reach({ node, entered: true });
    if (node.section !== undefined) reach({ node, entered: false });
    // An object is passed, too, on the way into one of its sections.
    for (const section of node.sections)
      for (const before of positionsBefore({ node: section, entered: true })) reach(before);
  }
  for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
    for (const previous of positionsBefore(position)) reach(previous);
  }
  return found;
}
