import { emptySet, none } from '../support/nothing.ts';

/** The policies of targets, and the targets of policies. All are locators: a target that is gone may come back. */
export class PolicyIndex {
  readonly #byTarget = new Map<string, Set<string>>();
  readonly #byPolicy = new Map<string, readonly string[]>();

  get isEmpty(): boolean {
    return this.#byTarget.size === 0;
  }

  get targets(): Iterable<string> {
    return this.#byTarget.keys();
  }

  at(target: string): ReadonlySet<string> {
    return this.#byTarget.get(target) ?? emptySet;
  }

  /**
   * Sets the targets of a policy.
   *
   * @returns Its targets before and after.
   */
  set(policy: string, targets: readonly string[]): readonly string[] {
    const targetsBefore = this.#byPolicy.get(policy) ?? none;
    if (targetsBefore.length + targets.length === 0) return none;
    for (const target of targetsBefore) {
      const policies = this.#byTarget.get(target);
      if (policies?.delete(policy) && policies.size === 0) this.#byTarget.delete(target);
    }
    for (const target of targets) {
      this.#byTarget.set(target, (this.#byTarget.get(target) ?? new Set()).add(policy));
    }
    if (targets.length === 0) this.#byPolicy.delete(policy);
    else this.#byPolicy.set(policy, targets);
    return [...targetsBefore, ...targets];
  }
}
