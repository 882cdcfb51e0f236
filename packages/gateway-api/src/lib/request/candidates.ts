import { formatPointer, type KubernetesObject } from '@policy-machinery/resource';
import { narrower, readHostname } from '../fields/hostname.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import { type RuleMatch, ruleMatchesOf } from '../matching/rule-match.ts';
import type {
  ListenerLoss,
  Precedence,
  RequestListener,
  RequestMatch,
  UndecidedMatch,
  UnknownFact,
  UnmatchedRoute,
} from './answer.ts';
import {
  exclusionOf,
  type HostRoute,
  hostnameOf,
  hostRoutes,
  type KindLoss,
  type ListenerFact,
} from './host-routes.ts';
import type { Contestant } from './precedence.ts';
import type { Question } from './question.ts';

/** A match that matches the request, or might. */
export interface Candidate<Listener extends RequestListener> extends Contestant {
  readonly match: RequestMatch<Listener>;
  /** Why its route cannot serve the request, if so. */
  readonly excludedBy: ListenerLoss | KindLoss | Extract<Precedence, 'another listener'> | undefined;
  /** The unknown fact that decides whether it takes part in the requests of its listener; `undefined` if it does. */
  readonly open: Pick<UndecidedMatch, 'dependsOn' | 'pointer'> | undefined;
  /** The unknown fact that decides whether the request reaches its listener; `undefined` if it does. */
  readonly reachedIf: Candidate<Listener>['open'];
}

/** One finding about a request: a candidate, or a route that cannot be one. */
export type RequestFinding<Listener extends RequestListener> =
  | { readonly candidate: Candidate<Listener> }
  | { readonly unmatched: UnmatchedRoute<Listener> };

/**
 * Whether a request arrives at a listener (`here`), or at one with a more specific hostname: then the routes of the listener do not take part in
 * the request (`elsewhere`), or an unknown fact decides whether they do.
 */
export type Arrival = 'here' | 'elsewhere' | { readonly dependsOn: UnknownFact };

/** Checks all matches of all routes at a listener, whether the request arrives there or not. */
export function* findingsAt<Listener extends RequestListener>(
  listener: Listener,
  arrival: Arrival,
  question: Question,
): Iterable<RequestFinding<Listener>> {
  const takesHost = hostnameOf(listener, question.request.host) !== undefined;
  const { routes, delegated = [], lostBy, dataPlane: { adjacentSlashes: slashes = 'both' } = {} } = listener;
  const attached = hostRoutes(routes, listener, question).map(({ route }) => route);
  const exclusion = exclusionOf(attached, listener);
  for (const { route, kind, hostname } of hostRoutes([...routes, ...delegated], listener, question)) {
    if (!takesHost || hostname === undefined) {
      const mismatch = takesHost ? routeHost : listenerHost;
      yield { unmatched: { listener, route, ...mismatch } };
      continue;
    }
    const common = narrower(readHostname(listener.hostname), readHostname(hostname)) ?? hostname;
    const excluded = lostBy ?? (arrival === 'elsewhere' ? 'another listener' : exclusion(route));
    const excludedBy = typeof excluded === 'object' ? undefined : excluded;
    for (const outcome of outcomesOf(route, kind, question, slashes)) {
      if ('reason' in outcome) {
        yield { unmatched: { listener, route, ...outcome } };
      } else {
        const { ruleIndex, matchIndex, specificity } = outcome;
        const isElsewhere = typeof arrival === 'object' && excludedBy === undefined;
        const ofListener =
          typeof excluded === 'object' ? { ...excluded, pointer: pointers[excluded.dependsOn] } : undefined;
        const open = outcome.open ?? ofListener;
        const reachedIf = isElsewhere ? { ...arrival, pointer: '/spec/parentRefs' } : undefined;
        const match = { listener, route, hostname, ruleIndex, matchIndex };
        yield { candidate: { match, hostname: common, specificity, excludedBy, open, reachedIf } };
      }
    }
  }
}

const listenerHost = { reason: 'listener', pointer: '' } as const;
const routeHost = { reason: 'host', pointer: '/spec/hostnames' } as const;
const pointers: Readonly<Record<ListenerFact, string>> = {
  'shared hostname': '/spec/hostnames',
  'missing tls': '/spec/parentRefs',
  'missing certificate': '/spec/parentRefs',
};

type Outcome =
  | Omit<UnmatchedRoute, 'listener' | 'route'>
  | (Pick<RequestMatch, 'ruleIndex' | 'matchIndex'> & Pick<Candidate<RequestListener>, 'specificity' | 'open'>);

/** Returns the outcomes of all matches of a route. A route that is not JSON and throws while it is read is invalid as a whole. */
function outcomesOf(
  route: KubernetesObject,
  kind: HostRoute['kind'],
  question: Question,
  slashes: DataPlane['adjacentSlashes'],
): readonly Outcome[] {
  try {
    return [...ruleMatchesOf(route, kind.hasDefaultRule)].map((ruleMatch) =>
      outcomeWith(slashes, ruleMatch, kind, question),
    );
  } catch {
    return [{ reason: 'invalid', pointer: '' }];
  }
}

/** Returns whether a request meets a match. If it is not known whether slashes are merged, the two readings must agree. */
function outcomeWith(
  slashes: DataPlane['adjacentSlashes'],
  ruleMatch: RuleMatch,
  kind: HostRoute['kind'],
  question: Question,
): Outcome {
  const { merged } = question;
  if (merged === undefined || slashes === 'kept') return outcomeOf(ruleMatch, kind, question);
  const outcome = outcomeOf(ruleMatch, kind, { ...question, request: merged });
  if (slashes === 'merged') return outcome;
  const kept = outcomeOf(ruleMatch, kind, question);
  if ('reason' in outcome === 'reason' in kept) return outcome;
  const met = 'reason' in outcome ? kept : outcome;
  if ('reason' in met || met.open !== undefined) return met;
  const pointer = formatPointer([...ruleMatch.at, 'path']);
  return { ...met, open: { dependsOn: 'adjacent slashes', pointer } };
}

/** Returns whether a request meets a match. The first condition that fails decides; if none fails, the first that depends on a regular expression. */
function outcomeOf(ruleMatch: RuleMatch, { check }: HostRoute['kind'], question: Question): Outcome {
  const { at, ...place } = ruleMatch;
  if (place.match === undefined) return { ...place, reason: 'invalid', pointer: formatPointer(at) };
  const { match, ruleIndex, matchIndex } = place;
  const { checks, specificity } = check(match, question.request, question.regularExpression);
  const failed = checks.find(({ verdict }) => verdict === 'mismatch' || verdict === 'invalid');
  if (failed !== undefined) {
    const reason = failed.verdict === 'invalid' ? 'invalid' : failed.field;
    return { ruleIndex, matchIndex, reason, pointer: formatPointer([...at, ...failed.at]) };
  }
  const open = checks.find(({ verdict }) => verdict === 'undecided');
  if (open === undefined) return { ruleIndex, matchIndex, specificity, open };
  const pointer = formatPointer([...at, ...open.at]);
  return { ruleIndex, matchIndex, specificity, open: { dependsOn: 'regular expression', pointer } };
}
