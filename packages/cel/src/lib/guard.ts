import type { CelFunc } from '@bufbuild/cel';
import { call, int, present } from './build.ts';
import type { Refuse } from './fields.ts';
import { guards } from './functions.ts';
import { type Expr, invalidCondition, type ParsedCondition } from './parse-condition.ts';

/** The names that a condition may use. */
export interface Guard {
  /** The names of variables and types. */
  readonly names: ReadonlySet<string>;
  /** The remedy for an unknown variable. */
  readonly advice: (name: string) => string;
  readonly refuse: Refuse;
  readonly functions: readonly CelFunc[];
  /** The maximal nesting of comprehensions. */
  readonly comprehensions: number;
}

/** Operators that are built into the evaluator. */
const operators = ['_[_]', '_?_:_', '_&&_', '_||_', '@not_strictly_false'];

/** The higher cost of a part that may fail, because creating an error takes that long. */
const fallible = 5;

/**
 * Checks that a condition uses only existing names, and inserts a charge before everything that may be repeated.
 *
 * Why the charges bound an evaluation for any data: only comprehensions repeat anything, and all of them take each turn
 * through `@step`, which charges for every part of the body; lists are copied into a range through `@range`, which charges for
 * their items; functions charge by the sizes of their arguments (`functions.ts`). Intermediate values, such as results of
 * `map`, are charged when they are built, and again as a range, argument or operand. After the last step every charge fails
 * and with it every turn, so that only one pass through the condition is left.
 *
 * @returns The same condition, changed in place.
 */
export function guard(parsed: ParsedCondition, options: Guard): Expr {
  if (parsed.expr === undefined) throw invalidCondition('it is empty; write a condition');
  new Visitor(options).visit(parsed.expr, options.names, 0);
  return parsed.expr;
}

type Comprehension = Extract<Expr['exprKind'], { readonly case: 'comprehensionExpr' }>['value'];

/** Visits all parts of a condition, and returns the steps of one pass without the iterations of comprehensions. */
class Visitor {
  readonly #guard: Guard;
  readonly #functionNames: ReadonlySet<string>;

  constructor(options: Guard) {
    this.#guard = options;
    this.#functionNames = new Set([...operators, ...options.functions.map(({ name }) => name)]);
  }

  visit(expr: Expr, scope: ReadonlySet<string>, nesting: number): number {
    const { advice, refuse } = this.#guard;
    const { exprKind } = expr;
    const all = (...parts: readonly (Expr | undefined)[]): number => fallible + this.#sum(parts, scope, nesting);
    switch (exprKind.case) {
      case 'identExpr': {
        const { name } = exprKind.value;
        return scope.has(name) ? 1 : refuse(expr, `unknown variable ${name}; ${advice(name)}`);
      }
      case 'selectExpr':
        return all(exprKind.value.operand);
      case 'listExpr':
        return all(...exprKind.value.elements);
      case 'structExpr': {
        const { messageName, entries } = exprKind.value;
        if (messageName !== '') refuse(expr, `a ${messageName} cannot be constructed; use a map`);
        return all(
          ...entries.map(({ keyKind }) => (keyKind.case === 'mapKey' ? keyKind.value : undefined)),
          ...entries.map(({ value }) => value),
        );
      }
      case 'callExpr': {
        const { function: name, target, args } = exprKind.value;
        if (!this.#functionNames.has(name)) refuse(expr, `unknown function ${name}; use the functions of CEL`);
        if (name === '_[_]') exprKind.value.function = guards.index;
        return all(target, ...args);
      }
      case 'comprehensionExpr':
        return this.#comprehension(expr, exprKind.value, scope, nesting);
      default:
        return 1;
    }
  }

  #comprehension(expr: Expr, fold: Comprehension, scope: ReadonlySet<string>, nesting: number): number {
    const { comprehensions, refuse } = this.#guard;
    if (nesting >= comprehensions) refuse(expr, `more than ${comprehensions} nested comprehensions; nest fewer`);
    const inner = new Set([...scope, fold.iterVar, fold.accuVar]);
    const turn = fallible + this.#sum([fold.loopCondition, fold.loopStep], inner, nesting + 1);
    const result = this.#sum([fold.result], inner, nesting);
    const outside = fallible + this.#sum([fold.iterRange, fold.accuInit], scope, nesting);
    fold.iterRange = call(guards.range, [fold.iterRange]);
    fold.loopCondition = call(guards.step, [fold.loopCondition, int(turn)]);
    return outside + result;
  }

  #sum(parts: readonly (Expr | undefined)[], scope: ReadonlySet<string>, nesting: number): number {
    return present(parts).reduce((steps, part) => steps + this.visit(part, scope, nesting), 0);
  }
}
