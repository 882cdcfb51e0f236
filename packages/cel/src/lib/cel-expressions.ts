import type { ConditionResult } from '@policy-machinery/policy-kind';
import type { JsonValue } from '@policy-machinery/resource';
import { type CelAnswer, evaluator } from './evaluator.ts';
import type { Advice, CelVariables } from './fields.ts';
import type { CelOptions } from './limits.ts';
import type { CelTestedVariables } from './tested-parts.ts';

/** A compiled expression. */
export interface CelExpression {
  /**
   * Evaluates the expression. Never throws, and ends soon for any values.
   *
   * @param values The values of the variables that the expression reads.
   * @param answer Answers the tests that the expression makes. It must not throw. The same answers have the same tests in the same order.
   */
  readonly evaluate: (values: Readonly<Record<string, JsonValue | undefined>>, answer?: CelAnswer) => ConditionResult;
  /**
   * The paths that the expression reads, without tests, from the variable to the last field that it names: `['policies', 'AuthPolicy', 'spec']`. Of a field that only
   * `has` reads, no value is read: its path has `''` at the end.
   */
  readonly reads: readonly (readonly string[])[];
}

/**
 * Returns a compiler of expressions over variables with types, which return true or false.
 *
 * @param variables The variables with their types. Their fields are checked when an expression is compiled, as far as the types are known.
 * @param options The limits.
 * @param tested The variables that expressions do not read, because their values are not known. Each test of a part is a question to the caller, so that
 * it can evaluate an expression for both answers. Default: none.
 * @returns The compiler. It throws `invalid-condition` as conditions of {@link celConditions} do, and for a field that a type does not have or a comparison
 * of values of different types, with the place in the expression.
 * @example
 * ```ts
 * const compile = celExpressions({ route: { fields: { name: 'string', labels: { map: 'string' } } } });
 * compile('route.name == "cart" && has(route.labels.app)').evaluate({ route: { name: 'cart', labels: {} } }); // { holds: false }
 * ```
 */
export function celExpressions(
  variables: CelVariables,
  options?: CelOptions,
  tested: CelTestedVariables = {},
): (expression: string) => CelExpression {
  const { compile } = evaluator(options, tested);
  return (expression) => compile(expression, variables, advice);
}

/** The most names that a message suggests. */
const maxSuggested = 8;

/** Suggests the names that exist, those that begin most like an unknown name first. */
const advice: Advice = (names, unknown) => {
  if (names.length === 0) return 'it has none';
  const likeness = (name: string): number => commonLength(name.toLowerCase(), unknown.toLowerCase());
  const some = [...names]
    .sort((a, b) => likeness(b) - likeness(a) || (likeness(a) > 0 ? a.length - b.length : 0))
    .slice(0, maxSuggested);
  return `use ${some.map(written).join(', ')}${names.length > maxSuggested ? ' …' : ''}`;
};

/** Returns a name as an expression has it: with dots, it is an index. */
function written(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify([name]);
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
