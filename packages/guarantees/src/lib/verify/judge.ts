import { requestPaths } from '@policy-machinery/gateway-api';
import type { JsonObject } from '@policy-machinery/resource';
import type { Path, Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee, CompiledSelection } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { Contender } from '../requests/contender.ts';
import { type Cell, everything } from '../requests/region.ts';
import { backendOf, factsOf, kindsRead, type Met, metOn } from './facts.ts';

/** A path on which a guarantee does not hold. */
export interface Failure {
  readonly path: Path;
  readonly met: Met;
  /** The missing field, if the expression read one. */
  readonly why: string | undefined;
  /** An error of the expression, which says nothing about the request. */
  readonly error: string | undefined;
}

/** What a guarantee says about the requests that a match takes, on one path. */
export interface Judgement {
  readonly path: Path;
  /** The requests that the guarantee is not about. */
  readonly except: readonly Cell[];
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
    if (this.#compiled.requests.isMeant?.(contender) === false) return;
    const { at: listener, via, route, rule } = contender;
    for (const path of requestPaths(this.#topology, { listener, via, route, ...(rule && { rule }) })) {
      const judgement = this.judgePath(contender, path);
      if (judgement !== undefined) yield judgement;
    }
  }

  /**
   * Judges the requests of a match on one path.
   *
   * @returns The judgement; `undefined` if the guarantee is not about these requests.
   */
  judgePath(contender: Contender, path: Path): Judgement | undefined {
    const { requests, except: exceptions, reads } = this.#compiled;
    if (requests.isMeantBackend?.(backendOf(path, contender)) === false) return undefined;
    const met = metOn(path, this.#kinds);
    const facts = (): JsonObject => factsOf(contender, path, met, reads);
    if (requests.where !== undefined && !isTrue(requests.where.evaluate(facts()))) return undefined;
    const except = exceptions.flatMap((it) => (isAbout(it, contender, path, facts) ? it.cells : []));
    if (except.includes(everything)) return undefined;
    const key = this.#readsPoliciesAlone ? this.#keyOf(met) : undefined;
    const known = key !== undefined && this.#known.has(key);
    const result = known ? this.#known.get(key) : failureOf(this.#compiled.holds.evaluate(facts()));
    if (key !== undefined) this.#known.set(key, result);
    return { path, except, failure: result && { ...result, path, met } };
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
