import type { KubernetesObject } from '@policy-machinery/resource';
import type { Refusal } from '../model/reference.ts';
import type { Rivals } from '../model/rivalry.ts';
import type { Dependent } from '../references/dependents.ts';
import { none } from '../support/nothing.ts';
import type { Target } from '../targets/target.ts';

/** The rivals at a section that targets of several kinds refer to. */
export class Contest implements Dependent {
  readonly end: Target;
  readonly locator: string;
  asked: readonly string[] = none;
  /** The section as it was when the contest began. */
  readonly section: Target['section'];
  readonly rivals: Rivals;
  /** The resource of each rival, as `rivals` knows it. */
  readonly resources = new Map<Target, KubernetesObject>();
  /** The rivals that the section does not keep. */
  refused: ReadonlyMap<Target, Refusal> = noRivals;
  /** The rivals with undecided links. */
  undecided: ReadonlyMap<Target, Refusal> = noRivals;

  /** @param begin Returns an empty set of rivals. It is called once, with the contest as the dependent of its lookups. */
  constructor(end: Target, begin: (contest: Contest) => Rivals) {
    this.end = end;
    this.locator = end.locator;
    this.section = end.section;
    this.rivals = begin(this);
  }

  /** Decides again which rivals the section keeps. O(rivals). */
  decide(): void {
    this.refused = this.#among(this.rivals.refused);
    this.undecided = this.#among(this.rivals.undecided);
  }

  #among(refusals: ReadonlyMap<KubernetesObject, Refusal>): ReadonlyMap<Target, Refusal> {
    if (refusals.size === 0) return noRivals;
    const refusalsByRival = new Map<Target, Refusal>();
    for (const [rival, resource] of this.resources) {
      const refusal = refusals.get(resource);
      if (refusal !== undefined) refusalsByRival.set(rival, refusal);
    }
    return refusalsByRival;
  }
}

export const noRivals: ReadonlyMap<Target, Refusal> = new Map();
