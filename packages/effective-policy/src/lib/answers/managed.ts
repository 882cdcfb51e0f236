import type { AttachableKind, ChangeRecord, TargetNode } from '@policy-machinery/topology';
import { allBelow } from '../contexts/all-below.ts';

/** Knows which targets are in the hands of the controller (T-22), as far as somebody has asked. */
export class Managed {
  readonly #manages: AttachableKind['manages'];
  readonly #answers = new Map<TargetNode, boolean>();

  constructor({ manages }: Pick<AttachableKind, 'manages'>) {
    this.#manages = manages;
  }

  /** Whether a target is. One for which the kind's function throws is not. */
  has(target: TargetNode): boolean {
    if (this.#manages === undefined) return true;
    const known = this.#answers.get(target);
    if (known !== undefined) return known;
    const answer = this.#ask(target);
    this.#answers.set(target, answer);
    return answer;
  }

  /**
   * Follows changes: what a kind says of a target may depend on all that is above it.
   *
   * @returns The targets that have changed hands. O(what has changed, and what is below that).
   */
  follow(records: readonly ChangeRecord[]): readonly TargetNode[] {
    if (this.#answers.size === 0) return [];
    const changed = records.flatMap(({ came, changed, entered, gone }) => [...came, ...changed, ...entered, ...gone]);
    const other: TargetNode[] = [];
    for (const target of allBelow(changed.flatMap((it) => [it, it.object]))) {
      const before = this.#answers.get(target);
      if (before === undefined) continue;
      this.#answers.delete(target);
      if (this.has(target) !== before) other.push(target);
    }
    for (const { gone } of records) for (const target of gone) this.#answers.delete(target);
    return other;
  }

  #ask(target: TargetNode): boolean {
    try {
      return this.#manages?.(target) === true;
    } catch {
      return false;
    }
  }
}
