import { requestPathsOf } from '@policy-machinery/gateway-api/inner';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { ContestOptions } from '../requests/contest.ts';
import { type Earlier, earlier, keyOfEntry, keysOfMatches } from '../requests/earlier.ts';
import { clientsIn, entriesAt } from '../requests/entries.ts';
import type { ConcernsAt } from '../verify/concerns.ts';
import { Judge } from '../verify/judge.ts';
import { NotKnown } from '../verify/not-known.ts';
import { RequestSpace } from './request-space.ts';

/** The state of a cluster, or of a folder of manifests. */
export interface VerifiedState extends ContestOptions {
  /** A topology with the kinds of `gatewayApi()`. */
  readonly topology: Topology;
  /** The policy kinds: see {@link verifiedKind}. */
  readonly kinds: readonly VerifiedKind[];
  /** How requests meet concerns, which expressions read as `concerns`. Default: not known, and such expressions are invalid. */
  readonly concerns?: ConcernsAt | undefined;
}

/** The state before a change, for comparisons with the requests after it. It does not change. */
export class Base {
  readonly #state: VerifiedState;
  readonly #pathsOf: ReturnType<typeof requestPathsOf>;
  readonly #clientsOf: ReturnType<typeof clientsIn>;
  readonly notKnown: NotKnown;
  readonly #spaces = new Map<string, RequestSpace>();
  readonly #judges = new Map<CompiledGuarantee, Judge>();

  constructor(state: VerifiedState) {
    const { topology, kinds } = state;
    this.#state = state;
    this.#pathsOf = requestPathsOf(topology);
    this.#clientsOf = clientsIn(topology);
    this.notKnown = new NotKnown(topology, kinds);
  }

  /** Returns the judge of a guarantee, about requests before the change. */
  judgeOf(compiled: CompiledGuarantee): Judge {
    const { kinds, concerns } = this.#state;
    const judge = this.#judges.get(compiled) ?? new Judge(this.#pathsOf, compiled, kinds, this.notKnown, concerns);
    this.#judges.set(compiled, judge);
    return judge;
  }

  /** Returns the requests to a Gateway or Service before the change: none if it was not there. */
  spaceOf({ locator }: TargetNode): RequestSpace {
    const { topology, kinds: _kinds, concerns: _concerns, ...options } = this.#state;
    const node = topology.get(locator);
    const entries = node === undefined ? [] : entriesAt(topology, node, this.#clientsOf);
    const space = this.#spaces.get(locator) ?? new RequestSpace(entries, options);
    this.#spaces.set(locator, space);
    return space;
  }
}

/** Returns the contests of a Gateway or Service before a change, by the keys of their ports. */
export function earlierContests(before: RequestSpace, after: RequestSpace): ReadonlyMap<string, Earlier> {
  const present = keysOfMatches(after.contests);
  return new Map(before.contests.map((contest) => [keyOfEntry(contest), earlier(contest, present)]));
}
