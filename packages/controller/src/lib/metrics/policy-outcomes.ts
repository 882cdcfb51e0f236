import type { Reading } from '@policy-machinery/observability';
import type { PolicyReport } from '@policy-machinery/policy-status';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';

type PolicyOutcome = PolicyReport['outcome'];

/** Counts policies by outcome, as plans compute it. */
export class PolicyOutcomes {
  readonly #outcomes = new Map<string, { readonly kind: string; readonly outcome: PolicyOutcome }>();

  /**
   * Records the outcomes of some policies.
   *
   * @param kind Their kind.
   * @param named The policies in scope; those without an outcome were deleted.
   * @param outcomes The outcomes, by locator.
   */
  set(kind: GroupKind, named: Iterable<string>, outcomes: ReadonlyMap<string, PolicyOutcome>): void {
    for (const locator of named) {
      const outcome = outcomes.get(locator);
      if (outcome === undefined) this.#outcomes.delete(locator);
      else this.#outcomes.set(locator, { kind: groupKindKey(kind), outcome });
    }
  }

  /** Returns how many policies of each kind have each outcome. O(policies). */
  readings(): readonly Reading<{ readonly kind: string; readonly outcome: string }>[] {
    const counts = new Map<string, { readonly kind: string; readonly outcome: string; count: number }>();
    for (const { kind, outcome } of this.#outcomes.values()) {
      const key = `${kind} ${outcome}`;
      const counted = counts.get(key);
      if (counted === undefined) counts.set(key, { kind, outcome, count: 1 });
      else counted.count += 1;
    }
    return Array.from(counts.values(), ({ kind, outcome, count }) => [{ kind, outcome }, count]);
  }
}
