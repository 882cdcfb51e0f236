// compare/: differences between two configurations. Takes two topologies with their effective policies and returns classes of requests with a
// different rule, backends or policies, each with a request that shows it.

import { requestPaths } from '@policy-machinery/gateway-api/inner';
import { isJsonObject } from '@policy-machinery/resource';
import { formatTarget, type Topology } from '@policy-machinery/topology';
import type { VerifyInput } from '../live/verifier.ts';
import type { ConcreteRequest } from '../requests/concrete-request.ts';
import type { Contender } from '../requests/contender.ts';
import { type Contest, createContest, engineFor, isDecided } from '../requests/contest.ts';
import { clientsIn, type Entry, entriesAt } from '../requests/entries.ts';
import { leastRequest, simplerRequests, type Unused, unusedIn } from '../requests/least-request.ts';
import { meetRegions, type Region, regionOf } from '../requests/region.ts';
import { textsIn } from '../requests/texts.ts';
import { backendOf } from '../verify/facts.ts';

/** The handling of the requests of a class on one side. */
export interface Treatment {
  /** The match that takes them. */
  readonly contender: Contender;
  /** The rule, or a route without rules: `HTTPRoute shop/cart#rule-1`. */
  readonly rule: string;
  /** The backends: `Service shop/cart`. */
  readonly backends: readonly string[];
  /** The effective specs that they meet, as JSON, by kind. */
  readonly policies: readonly string[];
}

/** A class of requests that two configurations treat differently. */
export interface RequestDifference {
  /** The least request of the class. */
  readonly request: ConcreteRequest;
  readonly entry: Entry;
  /** `undefined` if no rule takes the requests. */
  readonly before: Treatment | undefined;
  readonly after: Treatment | undefined;
  /** The differing parts. */
  readonly in: readonly ('rule' | 'backends' | 'policies')[];
}

/** The result of {@link compareRequests}. */
export interface RequestComparison {
  readonly differences: readonly RequestDifference[];
  /** The number of classes of requests that were compared. */
  readonly classes: number;
  /** The number of matches with a regular expression, and of classes without a decided match. */
  readonly undecided: number;
}

/**
 * Compares the handling of requests in two configurations.
 *
 * Two matches that overlap, one of each side, are a class: all of their common requests that both take are treated alike on each side. It suffices to
 * try the least common request, because an earlier match that takes it takes all of them.
 *
 * @param before The first configuration.
 * @param after The second configuration. Gateways and Services are the same if they have the same name.
 * @returns The classes with differences. O(m · n) for m and n matches of a Gateway's port.
 * @example
 * ```ts
 * const { differences } = compareRequests({ topology: ingress, kinds: [] }, { topology: gateways, kinds: [] });
 * ```
 */
export function compareRequests(before: VerifyInput, after: VerifyInput): RequestComparison {
  const sides = [before, after].map(contestsOf);
  const keys = new Set(sides.flatMap((contests) => [...contests.keys()]));
  const results = [...keys].sort().map((key) => {
    const [one, other] = sides.map((contests) => contests.get(key));
    return compareContests({ contest: one, input: before }, { contest: other, input: after });
  });
  return {
    differences: results.flatMap(({ differences }) => differences),
    classes: results.reduce((sum, { classes }) => sum + classes, 0),
    undecided: results.reduce((sum, { undecided }) => sum + undecided, 0),
  };
}

function contestsOf({ topology, kinds: _kinds, ...options }: VerifyInput): ReadonlyMap<string, Contest> {
  const clientsOf = clientsIn(topology);
  const entries = [...topology.targets].flatMap((node) => entriesAt(topology, node, clientsOf));
  return new Map(
    entries.map((entry) => {
      const { node, port, transport, client = '' } = entry;
      return [[node.locator, port, transport, client].join(' '), createContest(entry, options)];
    }),
  );
}

interface Side {
  readonly contest: Contest | undefined;
  readonly input: VerifyInput;
}

function compareContests(before: Side, after: Side): RequestComparison {
  const contests = [before.contest, after.contest].filter((it) => it !== undefined);
  const unused = unusedIn(textsIn(contests));
  const classes = new Map<string, RequestDifference | undefined>();
  // Whether a request of a regular expression exists, and which other matches take it, is not known.
  let undecided = contests.flatMap(({ contenders }) => contenders.filter((it) => !isExact(it))).length;
  const ids = new Map<Contender | undefined, number>([[undefined, 0]]);
  const idOf = (contender: Contender | undefined): number => {
    const id = ids.get(contender) ?? ids.size;
    ids.set(contender, id);
    return id;
  };
  const entry = contests[0]?.entry;
  const treatments = new Map<Contender, Treatment>();
  const treatmentOf = (contender: Contender | undefined, { input }: Side): Treatment | undefined => {
    if (contender === undefined) return undefined;
    const known = treatments.get(contender) ?? treatment(contender, input);
    treatments.set(contender, known);
    return known;
  };
  for (const region of regionsOf(before.contest, after.contest)) {
    const request = leastRequest(region, unused);
    const taken = [before, after].map(({ contest }) => contest?.take(request, engineFor(contest.options)));
    const [one, other] = taken.map((it) => it?.taker);
    const key = `${idOf(one)} ${idOf(other)}`;
    if (taken.some((it) => it !== undefined && !isDecided(it))) undecided += 1;
    else if (!classes.has(key) && entry !== undefined) {
      const [was, is] = [treatmentOf(one, before), treatmentOf(other, after)];
      const differing = differencesOf(was, is);
      const shown = simplest(request, unused, [one, other], [before, after]);
      classes.set(
        key,
        differing.length === 0 ? undefined : { request: shown, entry, before: was, after: is, in: differing },
      );
    }
  }
  const differences = [...classes.values()].filter((it) => it !== undefined);
  return { differences, classes: classes.size, undecided };
}

function isExact({ expressions }: Contender): boolean {
  return expressions.length === 0;
}

/** Returns the regions of all matches without regular expressions, and the common regions of two that overlap. */
function* regionsOf(before: Contest | undefined, after: Contest | undefined): Iterable<Region> {
  const own = [before, after].map((contest) =>
    (contest?.contenders ?? []).filter(isExact).flatMap((contender) => regionOf(contender) ?? []),
  );
  const [some = [], others = []] = own;
  for (const [list, opposite] of [
    [some, after],
    [others, before],
  ] as const) {
    for (const region of list) {
      yield region;
      for (const hostname of opposite?.divisionsBelow(region.hostname) ?? []) yield { ...region, hostname };
    }
  }
  for (const one of some) {
    for (const other of others) {
      const region = meetRegions(one, other);
      if (region !== undefined) yield region;
    }
  }
}

/** Returns a simpler request that the same matches take. */
function simplest(
  request: ConcreteRequest,
  unused: Unused,
  takers: readonly (Contender | undefined)[],
  sides: readonly Side[],
): ConcreteRequest {
  const isSame = (it: ConcreteRequest): boolean =>
    sides.every(({ contest }, index) => {
      const taken = contest?.take(it, engineFor(contest.options));
      return taken?.taker === takers[index] && (taken === undefined || isDecided(taken));
    });
  return [...simplerRequests(request, unused)].find(isSame) ?? request;
}

function treatment(contender: Contender, { topology, kinds }: VerifyInput): Treatment {
  const { rule, route } = contender;
  const backends = new Set<string>();
  const policies = new Set<string>();
  for (const path of pathsOf(contender, topology)) {
    const backend = backendOf(path, contender);
    if (backend !== undefined) backends.add(formatTarget(backend));
    for (const kind of kinds) {
      const spec = kind.along(path).at(-1)?.spec;
      if (spec !== undefined) policies.add(`${kind.kind}.${kind.group} ${jsonOf(spec)}`);
    }
  }
  return {
    contender,
    rule: formatTarget(rule ?? route),
    backends: [...backends].sort(),
    policies: [...policies].sort(),
  };
}

/** Returns a value as JSON, with sorted keys: the order of keys does not make a spec different. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function pathsOf({ at: listener, via, route, rule }: Contender, topology: Topology) {
  return requestPaths(topology, { listener, via, route, ...(rule && { rule }) });
}

function differencesOf(before: Treatment | undefined, after: Treatment | undefined): RequestDifference['in'] {
  const parts = ['rule', 'backends', 'policies'] as const;
  return parts.filter((part) => String(before?.[part] ?? '') !== String(after?.[part] ?? ''));
}
