import type { ReportCoverage } from '@policy-machinery/report';
import { type UnreachedOutcomes, unreachedIn } from '../answers/unreached.ts';
import type { Finding } from '../model/answer.ts';
import type { World } from '../model/world.ts';
import { assessedWorld, replacedIn } from './replaced.ts';
import { reportCoverage } from './report-coverage.ts';

/** The answers about a world that depend on all requests. */
export interface AboutRequests {
  readonly coverage: ReportCoverage | undefined;
  /** Policies that replace the protection of others, and rules without requests. */
  readonly findings: readonly Finding[];
  /** The outcomes of policies on targets without requests. */
  readonly outcomes: UnreachedOutcomes;
}

/** How much longer than the last computation the pause before the next one is: coverage takes at most a tenth of the time. */
const pauses = 9;

/**
 * The coverage of a world that changes. Each computation looks at all requests, so that it follows changes at once only after a pause; in between, the
 * last one counts.
 */
export class LaggingCoverage {
  #last: AboutRequests | undefined;
  #next = 0;
  #isBehind = false;
  readonly #now: () => number;

  /** @param now The clock, in milliseconds. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Whether the last answer is older than the world. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** The time until the coverage can follow, in milliseconds. */
  get wait(): number {
    return Math.max(0, this.#next - this.#now());
  }

  /**
   * Returns the coverage, of this world or of one before.
   *
   * @param world The world.
   */
  of(world: World): AboutRequests {
    this.#isBehind = this.#last !== undefined && this.wait > 0;
    if (this.#last !== undefined && this.#isBehind) return this.#last;
    const began = this.#now();
    const assessment = assessedWorld(world);
    const unreached = unreachedIn(world);
    this.#last = {
      coverage: reportCoverage(assessment),
      findings: [...replacedIn(assessment.rows), ...unreached.findings],
      outcomes: unreached.outcomes,
    };
    const ended = this.#now();
    this.#next = ended + pauses * (ended - began);
    return this.#last;
  }
}
