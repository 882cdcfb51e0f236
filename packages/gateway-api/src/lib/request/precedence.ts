import type { KubernetesObject } from '@policy-machinery/resource';
import { compareAge, compareNames, isAgeOrderKnown } from '../fields/compare-objects.ts';
import { compareHostnameSpecificity } from '../fields/hostname.ts';
import { type DataPlane, type RegularExpressionPaths, unknownDataPlane } from '../listeners/data-plane.ts';
import { exactName } from '../matching/grpc-match.ts';
import type { Specificity } from '../matching/match.ts';
import type { Precedence, RequestMatch, UnknownFact } from './answer.ts';

/** A match with the properties that decide its precedence. */
export interface Contestant {
  readonly match: Omit<RequestMatch, 'listener'>;
  /** The intersection of the hostnames of the route and the listener: the narrower one. */
  readonly hostname: string;
  readonly specificity: Specificity;
}

/** One rule of precedence, with a comparison that sorts the prevailing match first. */
export interface PrecedenceRule {
  readonly by: Precedence;
  readonly compare: (a: Contestant, b: Contestant) => number;
  /** Returns the fact that decides which of two matches prevails, if it is not known. Then `compare` sorts, and does not decide. Default: all is known. */
  readonly unknown?: (a: Contestant, b: Contestant) => UnknownFact | undefined;
}

/**
 * Returns Gateway API's rules of precedence for matches of routes that one listener has accepted for one host, in order. The rules for HTTPRoute
 * and GRPCRoute share one list. The order is total: the last three rules distinguish all matches of one kind of route.
 *
 * @param paths The precedence of regular expressions.
 * @param dataPlane Which hostnames decide. Default: it is not known.
 */
export function precedenceRules(
  paths: RegularExpressionPaths,
  { hostnamePrecedence = 'both', regularExpressionPaths = paths }: DataPlane = unknownDataPlane,
): readonly PrecedenceRule[] {
  const others = rulesBehindHostnames(regularExpressionPaths === 'both' ? paths : regularExpressionPaths);
  const compareOwn: PrecedenceRule['compare'] = (a, b) =>
    compareHostnameSpecificity(a.match.hostname, b.match.hostname);
  const by = 'more specific hostname';
  if (hostnamePrecedence === 'route') return [{ by, compare: compareOwn }, ...others];
  const compare: PrecedenceRule['compare'] = (a, b) => compareHostnameSpecificity(a.hostname, b.hostname);
  if (hostnamePrecedence === 'intersection') return [{ by, compare }, ...others];
  const compareOthers = compareBy(others);
  const isUnknown = (a: Contestant, b: Contestant): boolean => {
    const order = compare(a, b) === 0 ? compareOwn(a, b) : 0;
    if (order === 0) return false; // Both answers are the same.
    return order * compareOthers(a, b) < 0 || compareMatches(a, b, others).unknown !== undefined;
  };
  const unknown: PrecedenceRule['unknown'] = (a, b) => (isUnknown(a, b) ? 'hostname precedence' : undefined);
  return [{ by, compare, unknown }, ...others];
}

/** Returns the rules for matches with equal hostnames. */
function rulesBehindHostnames(paths: RegularExpressionPaths): readonly PrecedenceRule[] {
  return [
    { by: 'more specific path', compare: compareKinds, unknown: precedenceOfKinds },
    greatest('exact path', ({ path }) => Number(path === 'Exact')),
    paths === 'after-prefixes'
      ? greatest('prefix before regular expression', ({ path }) => Number(path === 'PathPrefix'))
      : {
          ...greatest('regular expression before prefix', ({ path }) => Number(path === 'RegularExpression')),
          unknown: (a, b) => (paths === 'both' && areExpressionAndPrefix(a, b) ? 'regular expression' : undefined),
        },
    greatest('longer regular expression', ({ path, pathLength }) => (path === 'RegularExpression' ? pathLength : 0)),
    greatest('longer prefix', ({ path, pathLength }) => (path === 'PathPrefix' ? pathLength : 0)),
    greatest('method', ({ method }) => method),
    greatest('gRPC service', ({ grpcService }) => grpcService),
    greatest('gRPC method', ({ grpcMethod }) => grpcMethod),
    greatest('more headers', ({ headers }) => headers),
    greatest('more query parameters', ({ queryParameters }) => queryParameters),
    { by: 'older route', compare: (a, b) => compareAge(a.match.route, b.match.route), unknown: ages },
    { by: 'first by name', compare: (a, b) => compareNames(a.match.route, b.match.route) },
    { by: 'first rule in the route', compare: (a, b) => a.match.ruleIndex - b.match.ruleIndex },
    { by: 'first match in the rule', compare: (a, b) => a.match.matchIndex - b.match.matchIndex },
  ];
}

/** How two matches compare: the rule that makes the first one prevail, or the unknown fact that decides; neither if the first one loses. */
export interface ComparedMatches {
  readonly by?: Precedence;
  readonly unknown?: UnknownFact;
}

/** Compares two matches by the first rule that distinguishes them. */
export function compareMatches(a: Contestant, b: Contestant, rules: readonly PrecedenceRule[]): ComparedMatches {
  for (const { by, compare, unknown } of rules) {
    const fact = unknown?.(a, b);
    if (fact !== undefined) return { unknown: fact };
    const order = compare(a, b);
    if (order !== 0) return order < 0 ? { by } : {};
  }
  return {};
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

function areExpressionAndPrefix({ specificity: { path: one } }: Contestant, { specificity }: Contestant): boolean {
  const { path: other } = specificity;
  return one !== other && [one, other].every((path) => path === 'RegularExpression' || path === 'PathPrefix');
}

function greatest(by: Precedence, measure: (specificity: Specificity) => number): PrecedenceRule {
  return { by, compare: (a, b) => measure(b.specificity) - measure(a.specificity) };
}

/**
 * Returns how specific the path of a match is among the paths of both kinds: data planes that serve an HTTPRoute and a GRPCRoute at one hostname
 * compare the paths that methods stand for. Both a service and a method are an exact path, and a match of all calls is a match of all paths. The
 * meaning of the other matches of GRPCRoutes differs among data planes.
 */
function pathClass({ path, grpcService, grpcMethod }: Specificity, isGrpc: boolean): number {
  if (!isGrpc) return path === 'Exact' ? 2 : 1;
  if (grpcService === exactName && grpcMethod === exactName) return 2;
  return grpcService + grpcMethod === 0 ? 0 : 1;
}

/** Sorts a match of an HTTPRoute and one of a GRPCRoute. */
function compareKinds(a: Contestant, b: Contestant): number {
  if (!areMixed(a, b)) return 0;
  const classOf = ({ specificity, match }: Contestant): number => pathClass(specificity, isGrpcRoute(match.route));
  return classOf(b) - classOf(a);
}

function precedenceOfKinds(a: Contestant, b: Contestant): UnknownFact | undefined {
  if (!areMixed(a, b)) return undefined;
  if (compareKinds(a, b) === 0) return 'precedence of kinds';
  const [http, grpc] = isGrpcRoute(a.match.route) ? [b, a] : [a, b];
  const { path, pathLength } = http.specificity;
  const isForAllPaths = path === 'RegularExpression' || (path === 'PathPrefix' && pathLength === 0);
  return isForAllPaths && pathClass(grpc.specificity, true) === 0 ? 'precedence of kinds' : undefined;
}

function areMixed(a: Contestant, b: Contestant): boolean {
  return isGrpcRoute(a.match.route) !== isGrpcRoute(b.match.route);
}

function isGrpcRoute({ kind }: KubernetesObject): boolean {
  return kind === 'GRPCRoute';
}

function ages({ match: { route: a } }: Contestant, { match: { route: b } }: Contestant): UnknownFact | undefined {
  return isAgeOrderKnown(a, b) || compareNames(a, b) === 0 ? undefined : 'age';
}
