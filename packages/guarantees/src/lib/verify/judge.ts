import { requestPaths } from '@policy-machinery/gateway-api';
import type { JsonObject } from '@policy-machinery/resource';
import type { Path, Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee, CompiledSelection } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { Contender } from '../requests/contender.ts';
import { type Cell, everything } from '../requests/region.ts';
import { backendOf, factsOf, kindsRead, type Met, metOn } from './facts.ts';

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
}

/** The requests of a match on one path, as far as a guarantee is about them. */
export interface Meant extends Told {
  /** The requests that the guarantee is not about. */
  readonly except: readonly Cell[];
}

/** What a guarantee says about the requests that a match takes, on one path. */
export interface Judgement extends Meant {
  /** Why it does not hold, if so. */
  readonly failure: Failure | undefined;
}

/** Judges matches by one guarantee: on each path of their requests, whether the expression is true. */
export class Judge {
  readonly #topology: Topology;
  readonly #compiled: CompiledGuarantee;
  readonly #kinds: ReadonlyMap<string, VerifiedKind>;
  /** The results for paths that meet the same, if expressions read policies alone. */
  readonly #known = new Map<string, Result | undefined>();
  readonly #ids = new Map<unknown, number>();
  readonly #readsPoliciesAlone: boolean;

  constructor(topology: Topology, compiled: CompiledGuarantee, kinds: readonly VerifiedKind[]) {
    this.#topology = topology;
    this.#compiled = compiled;
    this.#kinds = kindsRead(kinds, compiled.reads);
    this.#readsPoliciesAlone = compiled.reads.every(([name]) => name === 'policies');
  }

  /** Judges the requests that a match takes, on each path that the guarantee is about. O(paths from its rule to backends). */
  *judge(contender: Contender): Iterable<Judgement> {
    for (const meant of this.meant(contender)) yield { ...meant, failure: this.failure(meant) };
  }

  /** Returns the requests that a match takes, on each path that the guarantee is about. O(paths from its rule to backends). */
  *meant(contender: Contender): Iterable<Meant> {
    const { requests, except: exceptions } = this.#compiled;
    if (requests.isMeant?.(contender) === false) return;
    for (const told of this.told(contender)) {
      if (requests.isMeantBackend?.(backendOf(told.path, contender)) === false) continue;
      const facts = (): JsonObject => this.#factsOf(told);
      if (requests.where !== undefined && !isTrue(requests.where.evaluate(facts()))) continue;
      const except = exceptions.flatMap((it) => (isAbout(it, contender, told.path, facts) ? it.cells : []));
      if (!except.includes(everything)) yield { ...told, except };
    }
  }

  /** Returns the requests that a match takes, on each path. O(paths from its rule to backends). */
  *told(contender: Contender): Iterable<Told> {
    const { at: listener, via, route, rule } = contender;
    for (const path of requestPaths(this.#topology, { listener, via, route, ...(rule && { rule }) })) {
      yield { contender, path, met: metOn(path, this.#kinds) };
    }
  }

  /**
   * Returns why a guarantee does not hold for requests.
   *
   * @param told The requests.
   * @param other The requests with which they are compared, if the guarantee compares requests; `undefined` if no rule takes them.
   * @returns The failure; `undefined` if it holds.
   */
  failure(told: Told, other?: Told): Failure | undefined {
    const key = this.#readsPoliciesAlone ? `${this.#keyOf(told.met)};${other && this.#keyOf(other.met)}` : undefined;
    const known = key !== undefined && this.#known.has(key);
    const result = known ? this.#known.get(key) : failureOf(this.#compiled.holds.evaluate(this.#values(told, other)));
    if (key !== undefined) this.#known.set(key, result);
    return result && { ...result, path: told.path, met: told.met };
  }

  #values(told: Told, other: Told | undefined): JsonObject {
    const own = this.#factsOf(told);
    if (this.#compiled.other === undefined) return own;
    return { ...own, other: other === undefined ? notTaken : { taken: true, ...this.#factsOf(other) } };
  }

  #factsOf({ contender, path, met }: Told): JsonObject {
    return factsOf(contender, path, met, this.#compiled.reads);
  }

  #keyOf(met: Met): string {
    return [...met].map(([name, { layers }]) => `${name} ${this.#idOf(layers)}`).join();
  }

  #idOf(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }
}

/** What is known about a request that no rule takes. */
const notTaken: JsonObject = { taken: false, policies: {} };

type Evaluation = ReturnType<CompiledGuarantee['holds']['evaluate']>;

type Result = Pick<Failure, 'why' | 'error'>;

function isTrue(result: Evaluation): boolean {
  return 'holds' in result && result.holds;
}

function failureOf(result: Evaluation): Result | undefined {
  if ('holds' in result) return result.holds ? undefined : { why: undefined, error: undefined };
  return result.missing ? { why: result.error, error: undefined } : { why: undefined, error: result.error };
}

/** Returns whether an exception is about requests of a match on a path. */
function isAbout(
  { isMeant, isMeantBackend, where }: CompiledSelection,
  contender: Contender,
  path: Path,
  facts: () => JsonObject,
): boolean {
  if (isMeant?.(contender) === false || isMeantBackend?.(backendOf(path, contender)) === false) return false;
  return where === undefined || isTrue(where.evaluate(facts()));
}
