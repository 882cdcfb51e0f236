// live/: verdicts that follow a topology. Takes the changes of a topology and of effective policies, and looks again at the requests that they
// touch. All that is known is kept for each place where requests arrive: a Gateway, or a Service of a mesh.

import type { TargetNode } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { Contender } from '../requests/contender.ts';
import { type Contest, type ContestOptions, createContest, floorsFor } from '../requests/contest.ts';
import type { Entry } from '../requests/entries.ts';
import { type Unused, unusedIn } from '../requests/least-request.ts';
import type { Reached } from '../requests/reach.ts';
import { Reaches } from '../requests/reaches.ts';
import { type Cell, everything } from '../requests/region.ts';
import { textsIn, textsInCell } from '../requests/texts.ts';
import { Vocabulary } from '../requests/vocabulary.ts';

/** All requests that arrive at one Gateway or Service, as contests. */
export class RequestSpace {
  readonly contests: readonly Contest[];
  readonly #texts: ReadonlySet<string>;
  readonly #unused: Unused;
  readonly #reaches = new Reaches();

  /**
   * @param entries The ports of the Gateway or Service.
   * @param options The options that Gateway API leaves to implementations.
   */
  constructor(entries: readonly Entry[], options: ContestOptions) {
    const floors = floorsFor(options);
    this.contests = entries.map((entry) => createContest(entry, options, floors));
    this.#texts = textsIn(this.contests);
    this.#unused = unusedIn(this.#texts);
  }

  /** Returns the texts that a guarantee and all matches compare, here or in another space. O(length of the texts). */
  vocabularyFor({ requests, except }: CompiledGuarantee, other?: RequestSpace): Vocabulary {
    const texts = [requests, ...except].flatMap(({ cells }) => cells).flatMap(textsInCell);
    if (other === undefined && texts.every((text) => text === '')) return new Vocabulary([this.#texts], this.#unused);
    return new Vocabulary([this.#texts, ...(other === undefined ? [] : [other.#texts]), texts]);
  }

  /** Returns answers to questions about which requests matches take. Questions about any request at all have the same answers for everyone. */
  reaches(): Reaches {
    return new Reaches((contest, contender) => this.reach(contest, contender));
  }

  /** Returns whether a match takes any request. */
  reach(contest: Contest, contender: Contender): Reached {
    return this.#reaches.of(contest, contender, { cell: everything, except: nothing, unused: this.#unused });
  }
}

const nothing: readonly Cell[] = [];

/** Returns the matches that a guarantee is about: with the requests that no rule takes, if it says something about these. */
export function matchesOf({ contenders, untaken }: Contest, { readsTaken }: CompiledGuarantee): readonly Contender[] {
  return readsTaken ? [...contenders, ...untaken] : contenders;
}

/** Returns the number of classes of requests that some matches take. O(matches). */
export function classesOf(contenders: Iterable<Contender>): number {
  const classes = new Map<string, Set<string>>();
  for (const { entry, at, classKey } of contenders) {
    const place = `${entry.port} ${entry.node.locator} ${at.locator}`;
    const there = classes.get(place) ?? new Set();
    classes.set(place, there.add(classKey));
  }
  return [...classes.values()].reduce((sum, { size }) => sum + size, 0);
}

/** The targets that changes of effective policies touch. */
export interface Touched {
  /** The objects with other effective policies. */
  readonly objects: ReadonlySet<TargetNode>;
  /** The same objects, and all above. */
  readonly above: ReadonlySet<TargetNode>;
}

/** Returns whether requests of a match may meet other policies than before. */
export function isTouched({ entry, at, via, route }: Contender, { objects, above }: Touched): boolean {
  return above.has(route.object) || [entry.node, at, ...via].some(({ object }) => objects.has(object));
}
