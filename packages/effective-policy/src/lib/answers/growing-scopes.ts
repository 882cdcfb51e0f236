import type { TargetNode } from '@policy-machinery/topology';
import { type Scope, Scopes } from './scopes.ts';

/** Scopes that are being worked out, target by target. Changes in between are followed. */
export class GrowingScopes<Spec> {
  readonly scopes = new Scopes<Spec>();
  /** The last one is next. */
  readonly #left: TargetNode[];
  readonly #renewed = new Set<TargetNode>();

  /** @param targets All targets that have scopes. Those that come later are renewed. */
  constructor(targets: Iterable<TargetNode>) {
    this.#left = [...targets].reverse();
  }

  /** Whether no target is left. */
  get isComplete(): boolean {
    return this.#left.length === 0;
  }

  /**
   * Works out the scopes on the next targets.
   *
   * @param count How many targets at most.
   * @param scopesOn Returns the scopes on a target.
   */
  grow(count: number, scopesOn: (target: TargetNode) => readonly Scope<Spec>[]): void {
    for (let left = count; left > 0; left -= 1) {
      const target = this.#left.at(-1);
      if (target === undefined) return;
      if (!this.#renewed.has(target)) this.scopes.set(target, scopesOn(target));
      this.#left.pop();
    }
  }

  /** Takes down the scopes on a target as they are after a change; none where the target is gone. */
  renew(target: TargetNode, scopes: readonly Scope<Spec>[]): void {
    this.#renewed.add(target);
    this.scopes.set(target, scopes);
  }
}
