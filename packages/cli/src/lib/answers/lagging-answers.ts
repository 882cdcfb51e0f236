import type { ReportCoverage } from '@policy-machinery/report';
import { assessedWorld, replacedIn } from '../covering/replaced.ts';
import { reportCoverage } from '../covering/report-coverage.ts';
import { coverageAsRead } from '../covering/world-coverage.ts';
import type { Finding } from '../model/answer.ts';
import type { World } from '../model/world.ts';
import { type UnreachedOutcomes, unreachedIn } from './unreached.ts';

/** The answers about a world that depend on all requests. */
export interface AboutRequests {
  readonly coverage: ReportCoverage | undefined;
  /** Policies that replace the protection of others, and rules without requests. */
  readonly findings: readonly Finding[];
  /** The outcomes of policies on targets without requests. */
  readonly outcomes: UnreachedOutcomes;
}

/** How much longer than the last computation the pause before the next one is: these answers take at most a tenth of the time. */
const pauses = 9;

/**
 * The answers about a changing world that depend on all requests. They follow a change at once only after a pause; in between, the last ones count.
 */
export class LaggingAnswers {
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

  /** The time until the answers can follow, in milliseconds. */
  get wait(): number {
    return Math.max(0, this.#next - this.#now());
  }

  /** Returns the answers about this world or one before. */
  of(world: World): AboutRequests {
    this.#isBehind = this.#last !== undefined && this.wait > 0;
    if (this.#last !== undefined && this.#isBehind) return this.#last;
    const began = this.#now();
    const assessment = assessedWorld(world);
    const unreached = unreachedIn(world);
    this.#last = {
      coverage: reportCoverage(assessedWorld(world, coverageAsRead(world))),
      findings: [...replacedIn(assessment.rows), ...unreached.findings],
      outcomes: unreached.outcomes,
    };
    const ended = this.#now();
    this.#next = ended + pauses * (ended - began);
    return this.#last;
  }
}
