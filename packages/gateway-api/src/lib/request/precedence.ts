import { compareAge, compareNames } from '../fields/compare-objects.ts';
import { compareHostnameSpecificity } from '../fields/hostname.ts';
import type { Specificity } from '../matching/match.ts';
import type { Precedence, RequestMatch } from './answer.ts';

/**
 * The precedence of paths that are regular expressions, which Gateway API leaves to the implementation. Exact paths always precede
 * them. Envoy Gateway, Contour and kgateway put them `before-prefixes`, Istio `after-prefixes`. Longer expressions precede shorter ones.
 */
export type RegularExpressionPaths = 'before-prefixes' | 'after-prefixes';

/** A match with the properties that decide its precedence. */
export interface Contestant {
  readonly match: Omit<RequestMatch, 'listener'>;
  readonly specificity: Specificity;
}

/** One rule of precedence, with a comparison that sorts the prevailing match first. */
export interface PrecedenceRule {
  readonly by: Precedence;
  readonly compare: (a: Contestant, b: Contestant) => number;
}

/**
 * Returns Gateway API's rules of precedence for matches of routes that one listener has accepted for one host, in the order in which
 * they apply. The rules for HTTPRoute and GRPCRoute share one list, since matches of the two kinds never compete. The order is total:
 * the last three rules distinguish all matches of one kind of route.
 */
export function precedenceRules(paths: RegularExpressionPaths): readonly PrecedenceRule[] {
  return [
    { by: 'more specific hostname', compare: (a, b) => compareHostnameSpecificity(a.match.hostname, b.match.hostname) },
    greatest('exact path', ({ path }) => Number(path === 'Exact')),
    paths === 'before-prefixes'
      ? greatest('regular expression before prefix', ({ path }) => Number(path === 'RegularExpression'))
      : greatest('prefix before regular expression', ({ path }) => Number(path === 'PathPrefix')),
    greatest('longer regular expression', ({ path, pathLength }) => (path === 'RegularExpression' ? pathLength : 0)),
    greatest('longer prefix', ({ path, pathLength }) => (path === 'PathPrefix' ? pathLength : 0)),
    greatest('method', ({ method }) => method),
    greatest('gRPC service', ({ grpcService }) => grpcService),
    greatest('gRPC method', ({ grpcMethod }) => grpcMethod),
    greatest('more headers', ({ headers }) => headers),
    greatest('more query parameters', ({ queryParameters }) => queryParameters),
    { by: 'older route', compare: (a, b) => compareAge(a.match.route, b.match.route) },
    { by: 'first by name', compare: (a, b) => compareNames(a.match.route, b.match.route) },
    { by: 'first rule in the route', compare: (a, b) => a.match.ruleIndex - b.match.ruleIndex },
    { by: 'first match in the rule', compare: (a, b) => a.match.matchIndex - b.match.matchIndex },
  ];
}

/** Returns the rule that puts one match before another; `undefined` if none does. */
export function precedenceOver(
  winner: Contestant,
  loser: Contestant,
  rules: readonly PrecedenceRule[],
): Precedence | undefined {
  const decisive = rules.find(({ compare }) => compare(winner, loser) !== 0);
  return decisive !== undefined && decisive.compare(winner, loser) < 0 ? decisive.by : undefined;
}

/** Returns a comparison that sorts matches by the first rule that distinguishes them. */
export function compareBy(rules: readonly PrecedenceRule[]): (a: Contestant, b: Contestant) => number {
  return (a, b) => {
    for (const { compare } of rules) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function greatest(by: Precedence, measure: (specificity: Specificity) => number): PrecedenceRule {
  return { by, compare: (a, b) => measure(b.specificity) - measure(a.specificity) };
}
