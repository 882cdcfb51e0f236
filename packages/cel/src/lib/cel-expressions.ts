import type { ConditionResult } from '@policy-machinery/policy-kind';
import type { JsonValue } from '@policy-machinery/resource';
import { evaluator } from './evaluator.ts';
import type { CelVariables } from './fields.ts';
import type { CelOptions } from './limits.ts';

/** A compiled expression. */
export interface CelExpression {
  /**
   * Evaluates the expression. Never throws, and ends soon for any values.
   *
   * @param values The values of the variables that the expression reads.
   */
  readonly evaluate: (values: Readonly<Record<string, JsonValue | undefined>>) => ConditionResult;
  /** The paths that the expression reads, from the variable to the last field that it names: `['policies', 'AuthPolicy', 'spec']`. */
  readonly reads: readonly (readonly string[])[];
}

/**
 * Returns a compiler of expressions over variables with types, which return true or false.
 *
 * @param variables The variables with their types. Their fields are checked when an expression is compiled, as far as the types are known.
 * @param options The limits.
 * @returns The compiler. It throws `invalid-condition` like that of {@link celConditions}, and for a field that a type does not have or a comparison
 * of values of different types, with the place in the expression.
 * @example
 * ```ts
 * const compile = celExpressions({ route: { fields: { name: 'string', labels: { map: 'string' } } } });
 * compile('route.name == "cart" && has(route.labels.app)').evaluate({ route: { name: 'cart', labels: {} } }); // { holds: false }
 * ```
 */
export function celExpressions(variables: CelVariables, options?: CelOptions): (expression: string) => CelExpression {
  const { compile } = evaluator(options);
  return (expression) => compile(expression, variables, advice);
}

function advice(names: readonly string[]): string {
  if (names.length === 0) return 'it has none';
  const some = names.slice(0, 12).join(', ');
  return names.length > 12 ? `use ${some} …` : `use ${some}`;
}
