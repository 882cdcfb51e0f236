import type { RegularExpression } from '@policy-machinery/gateway-api';
import type { ConcreteRequest } from './concrete-request.ts';
import type { Contender } from './contender.ts';
import { attempt, type Reached, type ReachQuestion, requestsMeant } from './reach.ts';
import { meetRegions, type Region, regionOf } from './region.ts';
import { type Candidate, type Standing, standingOf } from './standing.ts';

/** The other requests of a comparison, in one cell. */
export interface ReachBothQuestion extends ReachQuestion {
  /** The headers that the other request lacks. */
  readonly withoutHeaders: ReadonlySet<string>;
}

/**
 * Finds out whether a match takes any request while another match takes its other request.
 *
 * The least common request of both matches suffices, like in {@link reach}; without a match, the least request of each set of hosts. Its other request
 * is the least one of the other requests, because it lacks the same headers.
 *
 * @param own The match that takes the request.
 * @param other The match that takes the other request, or none.
 * @param question The cell, the exceptions, and values that neither these nor the contests compare.
 * @returns Such a request; or the doubts about whether one exists.
 */
export function reachBoth(own: Candidate<Contender>, other: Candidate, question: ReachBothQuestion): Reached {
  const { unused, withoutHeaders } = question;
  const meant = requestsMeant(question, own.contest);
  const region = meant && commonRegion(own.contender, other.contender, withoutHeaders);
  const common = region && meetRegions(region, { ...meant.cell, hostname: meant.cell.hostname ?? '*' });
  if (meant === undefined || common === undefined) return { by: 'none' };
  const standing = (request: ConcreteRequest, engine?: RegularExpression): Standing => {
    const opposite = without(request, withoutHeaders);
    // A request without these headers is compared with itself, so that the same match takes both, however others hide it.
    if (own.contest === other.contest && opposite === request && !isSame(own.contender, other.contender)) return isNot;
    return bothOf(standingOf(own, request, engine), standingOf(other, opposite, engine));
  };
  const matches = [own.contender, ...(other.contender === undefined ? [] : [other.contender])];
  let hidden: Reached = { by: 'none' };
  for (const each of attemptsIn(other, common)) {
    const reached = attempt({ contest: own.contest, region: each, unused, meant, matches, standing });
    if (reached.by === 'request') return reached;
    if (hidden.by === 'none') hidden = reached;
  }
  return hidden;
}

/**
 * Finds out whether a match takes any request that meets another match, too.
 *
 * @param own The match that takes the request.
 * @param shadowed The match that it also meets.
 * @param question The cell, the exceptions, and values that neither these nor the contest compare.
 */
export function reachShadowing(
  own: Candidate<Contender>,
  shadowed: Contender | undefined,
  question: ReachQuestion,
): Reached {
  const meant = requestsMeant(question, own.contest);
  const region = commonRegion(own.contender, shadowed, nothing);
  const common = meant && region && meetRegions(region, { ...meant.cell, hostname: meant.cell.hostname ?? '*' });
  if (meant === undefined || common === undefined || shadowed === undefined) return { by: 'none' };
  const standing = (request: ConcreteRequest, engine?: RegularExpression) => standingOf(own, request, engine);
  const matches = [own.contender, shadowed];
  return attempt({ contest: own.contest, region: common, unused: question.unused, meant, matches, standing });
}

const nothing: ReadonlySet<string> = new Set();

/** Returns whether two candidates are the same match, or none. */
function isSame(own: Contender, other: Contender | undefined): boolean {
  return own === other || (!own.isTaken && other === undefined);
}

const isNot: Standing = { takes: 'no', hiddenBy: [] };

/** Returns whether both of two candidates take their requests. */
function bothOf(own: Standing, other: Standing): Standing {
  const lost = [own, other].find(({ takes }) => takes === 'no');
  if (lost !== undefined) return lost;
  const takes = own.takes === 'yes' && other.takes === 'yes' ? 'yes' : 'undecided';
  return { takes, hiddenBy: [...own.hiddenBy, ...other.hiddenBy], rival: own.rival ?? other.rival };
}

/**
 * Returns the requests that meet the conditions of a match, if their other requests meet the conditions of another.
 *
 * @returns The region; `undefined` if it is empty.
 */
export function commonRegion(
  own: Contender,
  other: Contender | undefined,
  withoutHeaders: ReadonlySet<string>,
): Region | undefined {
  const region = regionOf(own);
  if (other === undefined || region === undefined) return region;
  const compared = regionOf(other);
  if (compared === undefined || [...compared.headers.keys()].some((name) => withoutHeaders.has(name))) return undefined;
  return meetRegions(region, compared);
}

/** Returns a request without some headers: the same object if it has none of them. */
export function without(request: ConcreteRequest, names: ReadonlySet<string>): ConcreteRequest {
  if (![...names].some((name) => request.headers.has(name))) return request;
  return { ...request, headers: new Map([...request.headers].filter(([name]) => !names.has(name))) };
}

/** Returns the common region with its most general hosts, then with the hosts of other listeners, where no match may take the other request. */
function* attemptsIn({ contest, contender }: Candidate, region: Region): Iterable<Region> {
  yield region;
  if (contender !== undefined) return;
  for (const hostname of contest.divisionsBelow(region.hostname)) yield { ...region, hostname };
}
