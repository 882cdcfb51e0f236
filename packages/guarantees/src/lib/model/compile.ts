import {
  type CelExpression,
  type CelOptions,
  type CelTestedVariables,
  type CelVariables,
  celExpressions,
} from '@policy-machinery/cel';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { type Issue, messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { RequestSets } from '../requests/request-sets.ts';
import { type ConcernsAt, concernsRead } from '../verify/concerns.ts';
import type { Guarantee, RequestSelector } from './guarantee.ts';
import { issueOn, locatorOfGuarantee, specFaults } from './read-guarantee.ts';
import { type Other, otherOf, type Selection, selectionOf } from './selection.ts';
import { comparedVariables, readsOfEither, testedVariables, variablesFor } from './variables.ts';
import type { VerifiedKind } from './verified-kind.ts';

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
  /** Whether requests are compared with the same requests before a change: its expressions read `before`. */
  readonly readsBefore: boolean;
  readonly isCompared: boolean;
  /** The concerns that its expressions read, of either request. */
  readonly concerns: readonly ConcernName[];
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

export interface CompileInput {
  readonly kinds: readonly VerifiedKind[];
  /** The concerns of requests. Default: not known, and expressions cannot read them. */
  readonly concerns?: ConcernsAt | undefined;
  /** The state before a change. Default: there is none, and expressions cannot read it. */
  readonly before?: object | undefined;
}

/** Limits for expressions. They may be longer than conditions of policies, and evaluate the policies that a request meets. */
const limits: CelOptions = { characters: 4096, steps: 50_000 };

/** The maximal number of combinations of hostnames, paths and methods in one selector. */
const maxCells = 1000;

/**
 * Compiles guarantees, and checks them against the policy kinds.
 *
 * @param input The policy kinds, and the other variables of expressions.
 * @returns The compiled guarantees, in the same order.
 * @throws {PolicyMachineryError} `invalid-guarantee`, with everything that is wrong: fields of a wrong form, names that come twice, expressions that
 * cannot be parsed, or that read a kind or field that does not exist.
 */
export function compileGuarantees(guarantees: readonly Guarantee[], input: CompileInput): readonly CompiledGuarantee[] {
  const issues: Issue[] = [];
  const names = new Set<string>();
  const compiled = guarantees.map((guarantee) => {
    const own = new Compilation(guarantee, input);
    if (names.has(guarantee.name)) own.report('/metadata/name', 'the name occurs twice; rename one of the two');
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
 * Returns the faults of guarantees: the errors that {@link verify} would throw.
 *
 * @param input The policy kinds, and the other variables of expressions.
 * @returns The issues; none if the guarantees can be verified.
 */
export function guaranteeIssues(guarantees: readonly Guarantee[], input: CompileInput): readonly Issue[] {
  try {
    compileGuarantees(guarantees, input);
    return [];
  } catch (error) {
    if (error instanceof PolicyMachineryError && error.code === 'invalid-guarantee') return error.issues;
    throw error;
  }
}

class Compilation {
  readonly issues: Issue[] = [];
  readonly #guarantee: Guarantee;
  readonly #input: CompileInput;
  readonly #variables: CelVariables;
  readonly #tested: CelTestedVariables;
  readonly #expression: ReturnType<typeof celExpressions>;

  constructor(guarantee: Guarantee, input: CompileInput) {
    this.#guarantee = guarantee;
    this.#input = input;
    this.#variables = variablesFor(input.kinds, guarantee);
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
    const others = spec.about === 'policies' ? [] : ['before', ...(other === undefined ? [] : ['other'])];
    const expression = celExpressions(comparedVariables(this.#variables, others), limits, this.#tested);
    const holds = this.#attempt('/spec/holds', () => expression(spec.holds));
    if (requests === undefined || holds === undefined || this.issues.length > 0) return undefined;
    const exceptions = except.filter((it) => it !== undefined);
    const all = [holds, requests.where, ...exceptions.map(({ where }) => where)].filter((it) => it !== undefined);
    const read = all.flatMap((each) => each.reads);
    const readsBefore = read.some(([variable]) => variable === 'before');
    if (!this.#isUsable(read, other !== undefined)) return undefined;
    const reads = readsOfEither(read, this.#variables);
    const named = reads.flatMap(([variable, kind]) => (variable === 'policies' && kind !== undefined ? [kind] : []));
    return {
      guarantee: this.#guarantee,
      requests,
      except: exceptions,
      other,
      readsBefore,
      isCompared: readsBefore || other !== undefined,
      concerns: concernsRead(reads),
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

  /** Returns whether all values that expressions read exist, and reports missing ones. */
  #isUsable(read: readonly (readonly string[])[], hasOther: boolean): boolean {
    const { before, concerns } = this.#input;
    const isRead = (name: string): boolean => read.some((names) => names.includes(name) && names.indexOf(name) < 2);
    const faults = [
      ...(isRead('before') && before === undefined
        ? ['before is the state before a change; use "gwpolicy diff --guarantees" or "gwpolicy verify --baseline"']
        : []),
      ...(isRead('before') && hasOther ? ['before and other cannot be compared at once; split the guarantee'] : []),
      ...(isRead('concerns') && concerns === undefined
        ? ['concerns are not known here; verify the guarantee with gwpolicy']
        : []),
    ];
    for (const fault of faults) this.report('/spec/holds', fault);
    return faults.length === 0;
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

  /** Calls a function, and returns the result; `undefined` if it throws, which is reported. */
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
