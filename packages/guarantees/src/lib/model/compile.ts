import {
  type CelExpression,
  type CelOptions,
  type CelTestedVariables,
  type CelVariables,
  celExpressions,
} from '@policy-machinery/cel';
import { type Issue, messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { RequestSets } from '../requests/request-sets.ts';
import type { Guarantee, RequestSelector } from './guarantee.ts';
import { issueOn, locatorOfGuarantee, specFaults } from './read-guarantee.ts';
import { type Other, otherOf, type Selection, selectionOf } from './selection.ts';
import { comparedVariables, readsOfEither, testedVariables, variablesFor } from './variables.ts';
import type { VerifiedKind } from './verified-kind.ts';

/** A selection with its expression. */
export interface CompiledSelection extends Selection {
  readonly where: CelExpression | undefined;
}

/** A guarantee that is ready to be verified. */
export interface CompiledGuarantee {
  readonly guarantee: Guarantee;
  readonly requests: CompiledSelection;
  readonly except: readonly CompiledSelection[];
  /** The other request of the comparison; `undefined` if requests are not compared. */
  readonly other: Other | undefined;
  readonly holds: CelExpression;
  /** The paths that its expressions read, of either request: `policies`, `AuthPolicy`, `spec`. */
  readonly reads: readonly (readonly string[])[];
  /** Whether it is also about requests that no rule takes: its expressions read `taken`. */
  readonly readsTaken: boolean;
  /** The policy kinds that its expressions read by name. */
  readonly kinds: readonly string[];
  /** The requests that its expressions distinguish. */
  readonly sets: RequestSets;
}

/** Limits for expressions. They may be longer than conditions of policies, and evaluate what a request meets. */
const limits: CelOptions = { characters: 4096, steps: 50_000 };

/** The maximal number of combinations of hostnames, paths and methods in one selector. */
const maxCells = 1000;

/**
 * Compiles guarantees, and checks them against the policy kinds.
 *
 * @param guarantees The guarantees.
 * @param kinds The policy kinds.
 * @returns The compiled guarantees, in the same order.
 * @throws {PolicyMachineryError} `invalid-guarantee`, with everything that is wrong: fields of a wrong form, names that come twice, expressions that
 * cannot be parsed, or that read a kind or field that does not exist.
 */
export function compileGuarantees(
  guarantees: readonly Guarantee[],
  kinds: readonly VerifiedKind[],
): readonly CompiledGuarantee[] {
  const issues: Issue[] = [];
  const names = new Set<string>();
  const compiled = guarantees.map((guarantee) => {
    const own = new Compilation(guarantee, kinds);
    if (names.has(guarantee.name)) own.report('/metadata/name', 'the name comes twice; rename one of the two');
    names.add(guarantee.name);
    const result = own.compile();
    issues.push(...own.issues);
    return result;
  });
  if (issues.length > 0)
    throw new PolicyMachineryError('invalid-guarantee', 'The guarantees cannot be verified', issues);
  return compiled.filter((it) => it !== undefined);
}

/**
 * Returns what is wrong with guarantees: what {@link verify} would throw.
 *
 * @param guarantees The guarantees.
 * @param kinds The policy kinds.
 * @returns The issues; none if the guarantees can be verified.
 */
export function guaranteeIssues(guarantees: readonly Guarantee[], kinds: readonly VerifiedKind[]): readonly Issue[] {
  try {
    compileGuarantees(guarantees, kinds);
    return [];
  } catch (error) {
    if (error instanceof PolicyMachineryError && error.code === 'invalid-guarantee') return error.issues;
    throw error;
  }
}

/** The compilation of one guarantee. */
class Compilation {
  readonly issues: Issue[] = [];
  readonly #guarantee: Guarantee;
  readonly #variables: CelVariables;
  readonly #tested: CelTestedVariables;
  readonly #expression: ReturnType<typeof celExpressions>;

  constructor(guarantee: Guarantee, kinds: readonly VerifiedKind[]) {
    this.#guarantee = guarantee;
    this.#variables = variablesFor(kinds, guarantee);
    this.#tested = guarantee.about === 'policies' ? {} : testedVariables;
    this.#expression = celExpressions(this.#variables, limits, this.#tested);
  }

  report(pointer: string, message: string): void {
    this.issues.push(issueOn(locatorOfGuarantee(this.#guarantee), message, pointer));
  }

  /** Returns the compiled guarantee; `undefined` if there are issues. */
  compile(): CompiledGuarantee | undefined {
    const { name: _name, ...spec } = this.#guarantee;
    const faults = specFaults(spec);
    for (const { pointer, message } of faults) this.report(pointer, message);
    if (faults.length > 0) return undefined;
    const requests = this.#selection('/spec/requests', spec.requests);
    const except = (spec.except ?? []).map((selector, index) => this.#selection(`/spec/except/${index}`, selector));
    const other = spec.other && otherOf(spec.other);
    const expression =
      other === undefined ? this.#expression : celExpressions(comparedVariables(this.#variables), limits, this.#tested);
    const holds = this.#attempt('/spec/holds', () => expression(spec.holds));
    if (requests === undefined || holds === undefined || this.issues.length > 0) return undefined;
    const exceptions = except.filter((it) => it !== undefined);
    const all = [holds, requests.where, ...exceptions.map(({ where }) => where)].filter((it) => it !== undefined);
    const read = all.flatMap((each) => each.reads);
    const reads = readsOfEither(read, this.#variables);
    const named = reads.flatMap(([variable, kind]) => (variable === 'policies' && kind !== undefined ? [kind] : []));
    return {
      guarantee: this.#guarantee,
      requests,
      except: exceptions,
      other,
      holds,
      reads,
      readsTaken: read.some(([variable]) => variable === 'taken'),
      kinds: [...new Set(named)],
      sets: new RequestSets(
        requests.cells,
        exceptions.map(({ cells }) => cells),
      ),
    };
  }

  #selection(pointer: string, selector: RequestSelector = {}): CompiledSelection | undefined {
    const { hostnames = [''], paths = [''], methods = [''], where } = selector;
    if (hostnames.length * paths.length * methods.length > maxCells) {
      this.report(pointer, `hostnames, paths and methods have more than ${maxCells} combinations; split the guarantee`);
      return undefined;
    }
    const selection = this.#attempt(pointer, () => selectionOf(selector));
    const compiled = where === undefined ? undefined : this.#attempt(`${pointer}/where`, () => this.#expression(where));
    return selection && { ...selection, where: compiled };
  }

  /** Returns what a function returns; `undefined` if it throws, which is reported. */
  #attempt<Result>(pointer: string, make: () => Result): Result | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof PolicyMachineryError)) throw error;
      this.report(pointer, messageOf(error));
      return undefined;
    }
  }
}
