import type { JudgePolicy, Verdict } from '@policy-machinery/effective-policy';
import type { Topology } from '@policy-machinery/topology';
import type { Random } from '@policy-machinery/workload';

const outcomes = ['invalid', 'pending', 'target-not-found', 'conflicted'] as const;

/** A controller whose verdicts on policies change at random. */
export class Court {
  readonly #random: Random;
  readonly #verdicts = new Map<string, readonly Verdict[]>();
  /** Whether it says anything at all: without verdicts, changes are followed in other ways. */
  readonly #isInSession: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#isInSession = random.chance(0.5);
  }

  readonly verdict: JudgePolicy<unknown> = ({ locator }) => this.#verdicts.get(locator);

  /** Changes some verdicts, and returns the locators of the policies. */
  change(topology: Topology): readonly string[] {
    const random = this.#random;
    if (!this.#isInSession || random.chance(0.3)) return [];
    const policies = topology.policies().map(({ locator }) => locator);
    const chosen = random.shuffle(policies).slice(0, 1 + random.int(2));
    for (const locator of chosen) {
      if (random.chance(0.4)) this.#verdicts.delete(locator);
      else this.#verdicts.set(locator, this.#someOn(topology));
    }
    return chosen;
  }

  #someOn(topology: Topology): readonly Verdict[] {
    const random = this.#random;
    if (random.chance(0.3)) return [this.#newVerdict()];
    const targets = random.shuffle([...topology.targets]).slice(0, 1 + random.int(2));
    return targets.map(({ locator }) => ({ ...this.#newVerdict(), ancestors: [locator] }));
  }

  #newVerdict(): Verdict {
    const random = this.#random;
    const reason = random.chance(0.5) ? { reason: 'NoSecret' } : {};
    return { outcome: random.pick(outcomes), message: `Secret ${random.int(3)} does not exist.`, ...reason };
  }
}
