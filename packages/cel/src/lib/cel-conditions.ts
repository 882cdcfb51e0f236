import { celMap } from '@bufbuild/cel';
import type { ConditionLanguage, ConditionResult } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { evaluator } from './evaluator.ts';
import type { CelOptions } from './limits.ts';
import { invalidCondition } from './parse-condition.ts';

const variables = { spec: 'any', self: { fields: { spec: 'any' } } } as const;
const advice = () => 'use spec or self.spec';

/**
 * Returns a language for conditions on the spec of a policy, written in CEL.
 *
 * Conditions and specs may be hostile: a condition can read only the spec, and its cost is limited.
 *
 * @param options The limits.
 * @returns The language. A spec is bound to `spec`, and to `self.spec`. Its `compile` throws `invalid-condition` if a condition
 * cannot be parsed, is too long, is nested too deeply or has too many nested comprehensions, or if it names variables, fields
 * of `self` or functions that do not exist.
 * @example
 * ```ts
 * const { compile } = celConditions();
 * const isHigh = compile('spec.limit > 50');
 * isHigh({ limit: 100 }); // { holds: true }
 * ```
 */
export function celConditions(options?: CelOptions): ConditionLanguage {
  const { limits, compile } = evaluator(options);
  return {
    compile(expression) {
      const { evaluate } = compile(expression, variables, advice, ({ spec = {} }, convert) => {
        const value = convert(spec);
        return { spec: value, self: celMap(new Map([['spec', value]])) };
      });
      const condition = (spec: JsonObject): ConditionResult => evaluate({ spec });
      condition({});
      if (evaluate.isExhausted())
        throw invalidCondition(`it takes more than ${limits.steps} steps even on an empty spec; simplify it`);
      return condition;
    },
  };
}
