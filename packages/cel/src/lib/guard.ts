import type { CelFunc } from '@bufbuild/cel';
import { call, int, present } from './build.ts';
import type { Refuse } from './fields.ts';
import { guards } from './functions.ts';
import { type Expr, invalidCondition, type ParsedCondition } from './parse-condition.ts';

/** The names that a condition may use. */
export interface Guard {
  /** The names of variables and types. */
  readonly names: ReadonlySet<string>;
  /** What to do about an unknown variable. */
  readonly advice: (name: string) => string;
  readonly refuse: Refuse;
  readonly functions: readonly CelFunc[];
  /** The maximal nesting of comprehensions. */
  readonly comprehensions: number;
}

/** Operators that are built into the evaluator. */
const operators = ['_[_]', '_?_:_', '_&&_', '_||_', '@not_strictly_false'];

/** The higher cost of a part that may fail, since creating an error takes that long. */
const fallible = 5;

/**
 * Checks that a condition uses only existing names, and inserts a charge before everything that may be repeated.
 *
 * Why the charges bound an evaluation for any data: only comprehensions repeat anything, and all of them take each turn
 * through `@step`, which charges for every part of the body; lists are copied into a range through `@range`, which charges for
 * their items; functions charge by the sizes of their arguments (`functions.ts`). What is built on the way, by `map` say, has
 * been charged for when it was built, and is charged for as a range, argument or operand of its own. After the last step every
 * charge fails and with it every turn, so that only one pass through the condition is left.
 *
 * @returns The same condition, changed in place.
 */
export function guard(parsed: ParsedCondition, { names, advice, refuse, functions, comprehensions }: Guard): Expr {
  const known = new Set([...operators, ...functions.map(({ name }) => name)]);

  /** Visits all parts, and returns the steps of one pass without the iterations of comprehensions. */
  const visit = (expr: Expr, scope: ReadonlySet<string>, nesting: number): number => {
    const { exprKind } = expr;
    const all = (...parts: readonly (Expr | undefined)[]): number =>
      present(parts).reduce((steps, part) => steps + visit(part, scope, nesting), fallible);
    switch (exprKind.case) {
      case 'identExpr': {
        const { name } = exprKind.value;
        return scope.has(name) ? 1 : refuse(expr, `there is no variable ${name}; ${advice(name)}`);
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
        if (!known.has(name)) refuse(expr, `there is no function ${name}; use the functions of CEL`);
        if (name === '_[_]') exprKind.value.function = guards.index;
        return all(target, ...args);
      }
      case 'comprehensionExpr': {
        if (nesting >= comprehensions) {
          refuse(expr, `more than ${comprehensions} nested comprehensions; nest fewer`);
        }
        const fold = exprKind.value;
        const inner = new Set([...scope, fold.iterVar, fold.accuVar]);
        const body = present([fold.loopCondition, fold.loopStep]);
        const turn = body.reduce((steps, part) => steps + visit(part, inner, nesting + 1), fallible);
        const result = present([fold.result]).reduce((steps, part) => steps + visit(part, inner, nesting), 0);
        const outside = all(fold.iterRange, fold.accuInit);
        fold.iterRange = call(guards.range, [fold.iterRange]);
        fold.loopCondition = call(guards.step, [fold.loopCondition, int(turn)]);
        return outside + result;
      }
      default:
        return 1;
    }
  };

  if (parsed.expr === undefined) throw invalidCondition('it is empty; write a condition');
  visit(parsed.expr, names, 0);
  return parsed.expr;
}
