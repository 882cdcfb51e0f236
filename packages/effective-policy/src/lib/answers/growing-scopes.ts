import type { TargetNode } from '@policy-machinery/topology';
import { type Scope, Scopes } from './scopes.ts';

/** The scopes of policies while they are computed, target by target. Changes in between are followed. */
export class GrowingScopes<Spec> {
  readonly scopes = new Scopes<Spec>();
  /** The targets that are left; the last one is next. */
  readonly #left: TargetNode[];
  readonly #renewed = new Set<TargetNode>();

  /** @param targets All targets with scopes. Targets that are added later are passed to {@link renew}. */
  constructor(targets: Iterable<TargetNode>) {
    this.#left = [...targets].reverse();
  }

  /** Whether no target is left. */
  get isComplete(): boolean {
    return this.#left.length === 0;
  }

  /**
   * Computes the scopes on the next targets.
   *
   * @param count The maximum number of targets.
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

  /** Replaces the scopes on a target after a change; pass none if the target is gone. */
  renew(target: TargetNode, scopes: readonly Scope<Spec>[]): void {
    this.#renewed.add(target);
    this.scopes.set(target, scopes);
  }
}
