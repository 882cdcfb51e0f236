import type { Position } from '../model/path.ts';
import type { TargetNode } from '../model/target-node.ts';

/** A map with positions as keys. Positions are values: two with the same target and way of arriving are equal. */
export class PositionMap<Value> {
  readonly #entered = new Map<TargetNode, Value>();
  readonly #contained = new Map<TargetNode, Value>();

  has({ node, entered }: Position): boolean {
    return (entered ? this.#entered : this.#contained).has(node);
  }

  get({ node, entered }: Position): Value | undefined {
    return (entered ? this.#entered : this.#contained).get(node);
  }

  set({ node, entered }: Position, value: Value): void {
    (entered ? this.#entered : this.#contained).set(node, value);
  }
}

/** A set of positions. Positions are values: two with the same target and way of arriving are equal. */
export class PositionSet {
  readonly #entered = new Set<TargetNode>();
  readonly #contained = new Set<TargetNode>();

  has({ node, entered }: Position): boolean {
    return (entered ? this.#entered : this.#contained).has(node);
  }

  add(position: Position): boolean {
    const set = position.entered ? this.#entered : this.#contained;
    return set.size < set.add(position.node).size;
  }
}
