import type { Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { Contender } from '../requests/contender.ts';
import { type Contest, type ContestOptions, createContest } from '../requests/contest.ts';
import { clientsIn, entriesAt } from '../requests/entries.ts';
import { type Unused, unusedIn } from '../requests/least-request.ts';
import { type Reached, reach } from '../requests/reach.ts';
import { type Cell, everything } from '../requests/region.ts';

/** All requests that a topology takes, as contests. */
export class RequestSpace {
  readonly contests: readonly Contest[];
  readonly #unused: Unused;
  readonly #reached = new Map<Contender, Reached>();

  /**
   * @param topology The topology.
   * @param guarantees The guarantees that will be verified.
   * @param options What Gateway API leaves to implementations.
   */
  constructor(topology: Topology, guarantees: readonly CompiledGuarantee[], options: ContestOptions) {
    const clientsOf = clientsIn(topology);
    const entries = [...topology.targets].flatMap((node) => entriesAt(topology, node, clientsOf));
    this.contests = entries.map((entry) => createContest(entry, options));
    this.#unused = unusedIn(new Set([...this.contests.flatMap(textsIn), ...guarantees.flatMap(textsOf)]));
  }

  /** Returns whether a match takes any request of a cell, apart from the excepted ones. */
  reach(contest: Contest, contender: Contender, cell: Cell, except: readonly Cell[]): Reached {
    const question = { cell, except, unused: this.#unused };
    if (cell !== everything || except.length > 0) return reach(contest, contender, question);
    const known = this.#reached.get(contender) ?? reach(contest, contender, question);
    this.#reached.set(contender, known);
    return known;
  }
}

/** Returns all texts that the matches of a contest compare. */
function textsIn({ contenders, entry }: Contest): readonly string[] {
  const texts = new Set(entry.listeners.map(({ hostname = '' }) => hostname));
  for (const { match } of contenders) {
    texts.add(match.match.hostname);
    for (const { name, value } of match.conditions) texts.add(name).add(value);
  }
  return [...texts];
}

function textsOf({ requests, except }: CompiledGuarantee): readonly string[] {
  return [requests, ...except].flatMap(({ cells }) => cells).flatMap(textsInCell);
}

function textsInCell({ hostname = '', path, method = '', headers, query }: Cell): readonly string[] {
  const pairs = [...headers, ...query].flatMap(([name, value = '']) => [name, value]);
  return [hostname, path?.value ?? '', method, ...pairs];
}
