// live/: verdicts that follow a topology. Takes the changes of a topology and of effective policies, and looks again at the requests that they
// touch. All that is known is kept for each place where requests arrive: a Gateway, or a Service of a mesh.

import type { TargetNode } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import { type Contender, classKey } from '../requests/contender.ts';
import { type Contest, type ContestOptions, createContest } from '../requests/contest.ts';
import type { Entry } from '../requests/entries.ts';
import { type Unused, unusedIn } from '../requests/least-request.ts';
import { type Reached, type ReachQuestion, reach } from '../requests/reach.ts';
import { type Cell, everything } from '../requests/region.ts';

/** All requests that arrive at one Gateway or Service, as contests. */
export class RequestSpace {
  readonly contests: readonly Contest[];
  readonly #texts: ReadonlySet<string>;
  readonly #unused: Unused;
  readonly #reached = new Map<Contender, Reached>();
  readonly #classes = new Map<Contender, string>();

  /**
   * @param entries The ports of the Gateway or Service.
   * @param options What Gateway API leaves to implementations.
   */
  constructor(entries: readonly Entry[], options: ContestOptions) {
    this.contests = entries.map((entry) => createContest(entry, options));
    this.#texts = new Set(this.contests.flatMap(textsIn));
    this.#unused = unusedIn(this.#texts);
  }

  /** Returns values that neither a guarantee nor any match compares, here or in another space. O(length of the texts). */
  unusedFor({ requests, except }: CompiledGuarantee, other?: RequestSpace): Unused {
    const texts = [requests, ...except].flatMap(({ cells }) => cells).flatMap(textsInCell);
    if (other === undefined && texts.every((text) => text === '')) return this.#unused;
    return unusedIn(new Set([...this.#texts, ...(other === undefined ? [] : other.#texts), ...texts]));
  }

  /** Returns whether a match takes any request, or any of a cell apart from the excepted ones. */
  reach(contest: Contest, contender: Contender, question?: ReachQuestion): Reached {
    if (question !== undefined && (question.cell !== everything || question.except.length > 0)) {
      return reach(contest, contender, question);
    }
    const whole = { cell: everything, except: [], unused: this.#unused };
    const known = this.#reached.get(contender) ?? reach(contest, contender, whole);
    this.#reached.set(contender, known);
    return known;
  }

  /** Returns the number of classes of requests among matches. */
  classesOf(contenders: Iterable<Contender>): number {
    const classes = new Set<string>();
    for (const contender of contenders) {
      const key = this.#classes.get(contender) ?? classKey(contender);
      this.#classes.set(contender, key);
      classes.add(key);
    }
    return classes.size;
  }
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

/** Returns all texts that the matches of a contest compare. */
export function textsIn({ contenders, entry }: Contest): readonly string[] {
  const texts = new Set(entry.listeners.map(({ hostname = '' }) => hostname));
  for (const { match } of contenders) {
    texts.add(match.match.hostname);
    for (const { name, value } of match.conditions) texts.add(name).add(value);
  }
  return [...texts];
}

function textsInCell({ hostname = '', path, method = '', headers, query }: Cell): readonly string[] {
  const pairs = [...headers, ...query].flatMap(([name, value = '']) => [name, value]);
  return [hostname, path?.value ?? '', method, ...pairs];
}
