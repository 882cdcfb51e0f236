import type { CelExpression } from '@policy-machinery/cel';
import type { requestPathsOf } from '@policy-machinery/gateway-api/inner';
import type { JsonObject } from '@policy-machinery/resource';
import type { Path } from '@policy-machinery/topology';
import type { CompiledGuarantee, CompiledSelection } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import { type Ask, casesOf, mostCases } from '../requests/atoms.ts';
import { type Contender, isHttp } from '../requests/contender.ts';
import { everything } from '../requests/region.ts';
import type { RequestSet } from '../requests/request-sets.ts';
import { type ConcernsAt, concernsMet } from './concerns.ts';
import { Decision, type Evaluation } from './decision.ts';
import { backendOf, factsOf, kindsRead, type Meeting, metOn, sourcesOf } from './facts.ts';
import type { NotKnown } from './not-known.ts';
import { type UnknownMeeting, unknownIn, waysOf } from './orders.ts';

/** Returns the paths of the requests that pass some targets. */
export type PathsOf = ReturnType<typeof requestPathsOf>;

/** A request on one path, with the policies that it meets there. */
export type Told = Meeting;

/** A path that breaks a guarantee. */
export interface Failure extends Pick<Meeting, 'path' | 'met' | 'concerns'> {
  /** The missing field, if the expression read one. */
  readonly why: string | undefined;
  /** An error of the expression, which says nothing about the request. */
  readonly error: string | undefined;
  /** The unknown facts that decide whether it holds; `undefined` if it does not hold, whatever they are. */
  readonly undecidedBy: UnknownMeeting | undefined;
}

/** Requests of a match on one path that expressions do not distinguish, as far as a guarantee is about them. */
export interface Meant extends Told {
  readonly requests: RequestSet;
  /** The unknown facts that decide whether the guarantee is about the requests; `undefined` if it is, whatever they are. */
  readonly undecidedBy: UnknownMeeting | undefined;
}

/** The judgment of a guarantee about requests that a match takes, on one path. */
export interface Judgement extends Meant {
  /** Why it does not hold, if so. */
  readonly failure: Failure | undefined;
}

/** Judges matches by one guarantee: on each path of their requests, and for each set that expressions distinguish, whether the expression is true. */
export class Judge {
  readonly #pathsOf: PathsOf;
  readonly #notKnown: Pick<NotKnown, 'isOpen'>;
  readonly #compiled: CompiledGuarantee;
  readonly #concernsAt: ConcernsAt;
  readonly #kinds: ReadonlyMap<string, VerifiedKind>;
  /** The variables that expressions read. */
  readonly #names: readonly string[];
  /** The results of expressions, by the sources of the facts that they read. */
  readonly #decisions = new Map<string, Map<CelExpression, Decision>>();
  readonly #ids = new Map<unknown, number>();

  constructor(
    pathsOf: PathsOf,
    compiled: CompiledGuarantee,
    kinds: readonly VerifiedKind[],
    notKnown: Pick<NotKnown, 'isOpen'>,
    concernsAt: ConcernsAt = notAsked,
  ) {
    this.#concernsAt = concernsAt;
    this.#pathsOf = pathsOf;
    this.#notKnown = notKnown;
    this.#compiled = compiled;
    this.#kinds = kindsRead(kinds, compiled.reads);
    this.#names = [...new Set(compiled.reads.flatMap(([name]) => name ?? []))];
  }

  /**
   * Judges the requests that a match takes, on each path that the guarantee is about. O(paths from its rule to backends), times the sets of requests
   * that expressions distinguish, and an evaluation of the expression for requests with new facts.
   */
  *judge(contender: Contender): Iterable<Judgement> {
    for (const told of this.pathsAbout(contender)) yield* this.judgeBoth(told, undefined);
  }

  /** Judges the requests of a path beside the other requests of a comparison; `undefined` if no rule takes these, or without a comparison. */
  *judgeBoth(own: Told, other: Told | undefined): Iterable<Judgement> {
    for (const { requests, undecidedBy, result } of this.#cases(own, (ask) => this.#failure(own, other, ask))) {
      const failure = undecidedBy !== undefined && result !== undefined ? this.#undecided(bothOf(own, other)) : result;
      yield { ...own, requests, undecidedBy, failure };
    }
  }

  /** Returns the requests that a match takes and that the guarantee is about, on each path. */
  *meant(contender: Contender): Iterable<Meant> {
    for (const told of this.pathsAbout(contender)) {
      for (const { requests, undecidedBy } of this.#cases(told, () => undefined))
        yield { ...told, requests, undecidedBy };
    }
  }

  /** Returns the paths of the requests that a match takes, apart from those that the guarantee is not about whatever the requests. */
  *pathsAbout(contender: Contender): Iterable<Told> {
    const { requests } = this.#compiled;
    if (requests.isMeant?.(contender) === false) return;
    for (const told of this.told(contender)) {
      if (requests.isMeantBackend?.(backendOf(told.path, contender)) !== false) yield told;
    }
  }

  /**
   * Returns the requests that a match takes, on each path. A path without a backend is left out if the rule may have one that is not known. O(paths from
   * its rule to backends).
   */
  *told(contender: Contender): Iterable<Told> {
    const { at: listener, via, route, rule } = contender;
    const concerns = concernsMet(this.#compiled.concerns, contender, this.#concernsAt);
    if (!contender.isTaken) {
      yield { contender, path: [...new Set([contender.entry.node, listener])], met: new Map(), concerns };
      return;
    }
    for (const path of this.#pathsOf({ listener, via, route, ...(rule && { rule }) })) {
      const isWithout = rule !== undefined && backendOf(path, contender) === undefined;
      if (isWithout && this.#notKnown.isOpen(rule, this.#compiled)) continue;
      yield { contender, path, met: metOn(path, this.#kinds), concerns };
    }
  }

  /** Returns the sets of requests that the guarantee is about and that expressions distinguish, each with the result of a function for it. */
  *#cases(told: Told, failureFor: (ask: Ask) => Failure | undefined) {
    const { sets, requests } = this.#compiled;
    const cases = casesOf((ask) => {
      const asked: Ask = (atom) => (!atom.isAboutHttp || isHttp(told.contender)) && ask(atom);
      const meant = this.#meantIn(told, asked);
      if (meant === undefined) return undefined;
      return { ...meant, result: meant.error === undefined ? failureFor(asked) : failing(told, meant.error) };
    });
    if (cases === undefined) {
      const all: RequestSet = { key: '', cells: requests.cells, except: [], texts: [] };
      yield { requests: all, undecidedBy: undefined, result: failing(told, tooManyCases) };
      return;
    }
    for (const { result: found, ...atoms } of cases) {
      if (found === undefined) continue;
      const { exceptions, undecidedBy, result } = found;
      yield { requests: sets.of(atoms, exceptions), undecidedBy, result };
    }
  }

  /** Returns which exceptions apply to requests of a path, and the doubts about whether the guarantee is about them; `undefined` if it is not. */
  #meantIn(told: Told, ask: Ask) {
    const { requests, except } = this.#compiled;
    const where = this.#where(requests, told, ask);
    if (where === 'never') return undefined;
    const applying = except.map((it) =>
      isAbout(it, told.contender, told.path) ? this.#where(it, told, ask) : 'never',
    );
    const exceptions = applying.flatMap((when, place) => (when === 'always' ? [place] : []));
    if (exceptions.some((place) => except[place]?.cells.includes(everything))) return undefined;
    const all = [where, ...applying];
    const error = all.flatMap((when) => (typeof when === 'object' ? [when.error] : []))[0];
    return { exceptions, error, undecidedBy: all.includes('undecided') ? unknownIn([told]) : undefined };
  }

  /** Returns why a guarantee does not hold for requests, or may not: it is evaluated for each possible state of unknown facts. */
  #failure(own: Told, other: Told | undefined, ask: Ask): Failure | undefined {
    const all = bothOf(own, other);
    const ways = waysOf(all);
    const results = (ways ?? [all]).map(([told, others]) => this.#failureIn(told, others, ask));
    const first = results.find((it) => it?.error !== undefined) ?? results.find((it) => it !== undefined);
    if (first === undefined) return ways === undefined ? this.#undecided(all) : undefined;
    return ways !== undefined && !results.includes(undefined) ? first : this.#undecided(all);
  }

  #failureIn(told: Told, other: Told | undefined, ask: Ask): Failure | undefined {
    const { holds, isCompared } = this.#compiled;
    const key = isCompared ? `${this.#keyOf(told)};${other && this.#keyOf(other)}` : this.#keyOf(told);
    const result = failureOf(this.#evaluated(holds, key, () => this.#values(told, other), ask));
    const { path, met, concerns } = told;
    return result && { ...result, path, met, concerns, undecidedBy: undefined };
  }

  #undecided(all: readonly [Told, ...Told[]]): Failure {
    const [{ path, met, concerns }] = all;
    return { path, met, concerns, why: undefined, error: undefined, undecidedBy: unknownIn(all) };
  }

  /** Returns whether an expression selects requests, for each order of policies of unknown age. */
  #where({ where }: CompiledSelection, told: Told, ask: Ask): When {
    if (where === undefined) return 'always';
    const isOpen = where.reads.some(([name]) => name === 'policies' || name === 'concerns');
    const ways = isOpen ? waysOf([told]) : [[told] as const];
    const results = ways?.map(([each]) =>
      this.#evaluated(where, this.#keyOf(each), () => factsOf(each, this.#compiled.reads), ask),
    );
    const error = results?.map((result) => failureOf(result)?.error).find((it) => it !== undefined);
    if (error !== undefined) return { error };
    const selects = new Set(results?.map((result) => 'holds' in result && result.holds));
    if (selects.size !== 1) return 'undecided';
    return selects.has(true) ? 'always' : 'never';
  }

  /** Returns the result of an expression: the one before, for facts with the same key and the same answers. */
  #evaluated(expression: CelExpression, key: string, facts: () => JsonObject, ask: Ask): Evaluation {
    const decisions = this.#decisions.get(key) ?? new Map<CelExpression, Decision>();
    this.#decisions.set(key, decisions);
    const decision = decisions.get(expression) ?? new Decision((answer) => expression.evaluate(facts(), answer));
    decisions.set(expression, decision);
    return decision.resultFor(ask);
  }

  #values(told: Told, other: Told | undefined): JsonObject {
    const { reads, readsBefore, isCompared } = this.#compiled;
    const own = factsOf(told, reads);
    if (!isCompared) return own;
    const facts = other === undefined ? notTaken : { ...factsOf(other, reads), taken: other.contender.isTaken };
    return { ...own, [readsBefore ? 'before' : 'other']: facts };
  }

  #keyOf(told: Told): string {
    return sourcesOf(told, this.#names)
      .map((source) => this.#idOf(source))
      .join(' ');
  }

  #idOf(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }
}

/** Facts about a request that no rule takes. */
const notTaken: JsonObject = { taken: false, policies: {}, concerns: {} };

const tooManyCases = `the expressions distinguish more than ${mostCases} sets of requests; split the guarantee`;

/** Returns the failure of an expression that says nothing about the requests. */
function failing({ path, met, concerns }: Told, error: string): Failure {
  return { path, met, concerns, why: undefined, error, undecidedBy: undefined };
}

function bothOf(own: Told, other: Told | undefined): readonly [Told, ...Told[]] {
  return other === undefined ? [own] : [own, other];
}

const notAsked: ConcernsAt = () => ({ protection: undefined, why: 'concerns are not known here', by: undefined });

/** Whether an expression selects requests: for each order of policies of unknown age, for none, for some, or it fails. */
type When = 'always' | 'never' | 'undecided' | { readonly error: string };

function failureOf(result: Evaluation): Pick<Failure, 'why' | 'error'> | undefined {
  if ('holds' in result) return result.holds ? undefined : { why: undefined, error: undefined };
  return result.missing ? { why: result.error, error: undefined } : { why: undefined, error: result.error };
}

/** Returns whether an exception is about requests of a match on a path, apart from its expression. */
function isAbout({ isMeant, isMeantBackend }: CompiledSelection, contender: Contender, path: Path): boolean {
  return isMeant?.(contender) !== false && isMeantBackend?.(backendOf(path, contender)) !== false;
}
