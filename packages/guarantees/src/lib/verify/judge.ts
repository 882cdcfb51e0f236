import type { CelExpression } from '@policy-machinery/cel';
import type { requestPathsOf } from '@policy-machinery/gateway-api';
import type { JsonObject } from '@policy-machinery/resource';
import type { Path } from '@policy-machinery/topology';
import type { CompiledGuarantee, CompiledSelection } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { Contender } from '../requests/contender.ts';
import { type Cell, everything } from '../requests/region.ts';
import { backendOf, factsOf, kindsRead, type Met, metOn, sourcesOf } from './facts.ts';
import type { NotKnown } from './not-known.ts';
import { agelessIn, ordersOf } from './orders.ts';

/** Returns the paths of the requests that pass some targets. */
export type PathsOf = ReturnType<typeof requestPathsOf>;

/** A request on one path, with the effective policies that it meets there. */
export interface Told {
  readonly contender: Contender;
  readonly path: Path;
  readonly met: Met;
}

/** A path on which a guarantee does not hold. */
export interface Failure {
  readonly path: Path;
  readonly met: Met;
  /** The missing field, if the expression read one. */
  readonly why: string | undefined;
  /** An error of the expression, which says nothing about the request. */
  readonly error: string | undefined;
  /** The policies of unknown age that decide whether it holds; none if it does not, whichever is older. */
  readonly undecidedBy: readonly string[];
}

/** The requests of a match on one path, as far as a guarantee is about them. */
export interface Meant extends Told {
  /** The requests that the guarantee is not about. */
  readonly except: readonly Cell[];
  /** The policies of unknown age that decide whether the guarantee is about the requests; none if it is, whichever is older. */
  readonly undecidedBy: readonly string[];
}

/** What a guarantee says about the requests that a match takes, on one path. */
export interface Judgement extends Meant {
  /** Why it does not hold, if so. */
  readonly failure: Failure | undefined;
}

/** Judges matches by one guarantee: on each path of their requests, whether the expression is true. */
export class Judge {
  readonly #pathsOf: PathsOf;
  readonly #notKnown: Pick<NotKnown, 'isOpen'>;
  readonly #compiled: CompiledGuarantee;
  readonly #kinds: ReadonlyMap<string, VerifiedKind>;
  /** The variables that expressions read. */
  readonly #names: readonly string[];
  /** The results of expressions, by what the facts are made from that they read. */
  readonly #results = new Map<string, Map<CelExpression, Evaluation>>();
  readonly #ids = new Map<unknown, number>();
  /** By the exceptions that apply. */
  readonly #exceptions = new Map<string, readonly Cell[]>();

  constructor(
    pathsOf: PathsOf,
    compiled: CompiledGuarantee,
    kinds: readonly VerifiedKind[],
    notKnown: Pick<NotKnown, 'isOpen'>,
  ) {
    this.#pathsOf = pathsOf;
    this.#notKnown = notKnown;
    this.#compiled = compiled;
    this.#kinds = kindsRead(kinds, compiled.reads);
    this.#names = [...new Set(compiled.reads.flatMap(([name]) => name ?? []))];
  }

  /**
   * Judges the requests that a match takes, on each path that the guarantee is about. O(paths from its rule to backends), and an evaluation of the
   * expression for requests whose facts are new.
   */
  *judge(contender: Contender): Iterable<Judgement> {
    for (const meant of this.meant(contender)) yield { ...meant, failure: this.failure(meant) };
  }

  /** Returns the requests that a match takes, on each path that the guarantee is about. O(paths from its rule to backends). */
  *meant(contender: Contender): Iterable<Meant> {
    const { requests } = this.#compiled;
    if (requests.isMeant?.(contender) === false) return;
    for (const told of this.told(contender)) {
      if (requests.isMeantBackend?.(backendOf(told.path, contender)) === false) continue;
      const where = this.#where(requests, told);
      if (where === 'never') continue;
      const about = this.#compiled.except.filter((it) => isAbout(it, contender, told.path));
      const exceptions = about.map((it) => [it, this.#where(it, told)] as const);
      const except = this.#exceptionsFor((it) => exceptions.some(([other, when]) => other === it && when === 'always'));
      if (except.includes(everything)) continue;
      const isUndecided = [where, ...exceptions.map(([, when]) => when)].includes('undecided');
      yield { ...told, except, undecidedBy: isUndecided ? agelessIn([told.met]) : [] };
    }
  }

  /**
   * Returns the requests that a match takes, on each path. A path without a backend is left out if the rule may have one that is not known. O(paths from
   * its rule to backends).
   */
  *told(contender: Contender): Iterable<Told> {
    const { at: listener, via, route, rule } = contender;
    for (const path of this.#pathsOf({ listener, via, route, ...(rule && { rule }) })) {
      const isWithout = rule !== undefined && backendOf(path, contender) === undefined;
      if (isWithout && this.#notKnown.isOpen(rule, this.#compiled)) continue;
      yield { contender, path, met: metOn(path, this.#kinds) };
    }
  }

  /**
   * Returns why a guarantee does not hold for requests, or may not: it is evaluated for each order of policies of unknown age.
   *
   * @param own The requests.
   * @param other The other requests, if the guarantee compares requests; `undefined` if no rule takes them.
   * @returns The failure; `undefined` if it holds.
   */
  failure(own: Told | Meant, other?: Told): Failure | undefined {
    const mets = [own.met, ...(other === undefined ? [] : [other.met])];
    const orders = ordersOf(mets)?.map(
      ([met = own.met, ofOther]) => [{ ...own, met }, other && { ...other, met: ofOther ?? other.met }] as const,
    );
    const results = (orders ?? [[own, other] as const]).map(([told, others]) => this.#failureIn(told, others));
    const first = results.find((it) => it?.error !== undefined) ?? results.find((it) => it !== undefined);
    const isMeant = !('undecidedBy' in own) || own.undecidedBy.length === 0;
    if (first === undefined) return orders === undefined ? this.#undecided(own, mets) : undefined;
    return isMeant && orders !== undefined && !results.includes(undefined) ? first : this.#undecided(own, mets);
  }

  #failureIn(told: Told, other: Told | undefined): Failure | undefined {
    const { holds, other: compared } = this.#compiled;
    const key = compared === undefined ? this.#keyOf(told) : `${this.#keyOf(told)};${other && this.#keyOf(other)}`;
    const result = failureOf(this.#evaluated(holds, key, () => this.#values(told, other)));
    return result && { ...result, path: told.path, met: told.met, undecidedBy: [] };
  }

  #undecided({ path, met }: Told, mets: readonly Met[]): Failure {
    return { path, met, why: undefined, error: undefined, undecidedBy: agelessIn(mets) };
  }

  /** Returns whether an expression selects requests, for each order of policies of unknown age. */
  #where({ where }: CompiledSelection, told: Told): 'always' | 'never' | 'undecided' {
    if (where === undefined) return 'always';
    const isTrueFor = (it: Told): boolean => isTrue(this.#evaluated(where, this.#keyOf(it), () => this.#factsOf(it)));
    if (!where.reads.some(([name]) => name === 'policies')) return isTrueFor(told) ? 'always' : 'never';
    const results = new Set(ordersOf([told.met])?.map(([met = told.met]) => isTrueFor({ ...told, met })));
    if (results.size !== 1) return 'undecided';
    return results.has(true) ? 'always' : 'never';
  }

  /** Returns the result of an expression: the one before, for facts with the same key. */
  #evaluated(expression: CelExpression, key: string, facts: () => JsonObject): Evaluation {
    const results = this.#results.get(key) ?? new Map<CelExpression, Evaluation>();
    this.#results.set(key, results);
    const result = results.get(expression) ?? expression.evaluate(facts());
    results.set(expression, result);
    return result;
  }

  /** Returns the requests that exceptions are about: the same list for the same exceptions. */
  #exceptionsFor(applies: (exception: CompiledSelection) => boolean): readonly Cell[] {
    const applying = this.#compiled.except.filter(applies);
    const key = applying.map((it) => this.#idOf(it)).join(' ');
    const cells = this.#exceptions.get(key) ?? applying.flatMap((it) => it.cells);
    this.#exceptions.set(key, cells);
    return cells;
  }

  #values(told: Told, other: Told | undefined): JsonObject {
    const own = this.#factsOf(told);
    if (this.#compiled.other === undefined) return own;
    return { ...own, other: other === undefined ? notTaken : { taken: true, ...this.#factsOf(other) } };
  }

  #factsOf({ contender, path, met }: Told): JsonObject {
    return factsOf(contender, path, met, this.#compiled.reads);
  }

  #keyOf({ contender, path, met }: Told): string {
    const sources = sourcesOf(contender, path, met, this.#names);
    return sources.map((source) => this.#idOf(source)).join(' ');
  }

  #idOf(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }
}

/** What is known about a request that no rule takes. */
const notTaken: JsonObject = { taken: false, policies: {} };

type Evaluation = ReturnType<CelExpression['evaluate']>;

function isTrue(result: Evaluation): boolean {
  return 'holds' in result && result.holds;
}

function failureOf(result: Evaluation): Pick<Failure, 'why' | 'error'> | undefined {
  if ('holds' in result) return result.holds ? undefined : { why: undefined, error: undefined };
  return result.missing ? { why: result.error, error: undefined } : { why: undefined, error: result.error };
}

/** Returns whether an exception is about requests of a match on a path, apart from its expression. */
function isAbout({ isMeant, isMeantBackend }: CompiledSelection, contender: Contender, path: Path): boolean {
  return isMeant?.(contender) !== false && isMeantBackend?.(backendOf(path, contender)) !== false;
}
