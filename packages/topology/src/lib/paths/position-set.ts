import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';

/** A set of positions. Positions are values: two with the same target and way of arriving are equal. */
export class PositionSet {
  readonly #entered = new Set<TargetNode>();
  readonly #contained = new Set<TargetNode>();

  has({ node, entered }: Position): boolean {
    return (entered ? this.#entered : this.#contained).has(node);
  }

  /** Adds a position. Returns whether it is new. */
  add(position: Position): boolean {
    const set = position.entered ? this.#entered : this.#contained;
    return set.size < set.add(position.node).size;
  }
}
