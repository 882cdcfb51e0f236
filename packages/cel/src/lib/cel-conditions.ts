import { type CelError, type CelValue, celEnv, celMap, celType, isCelError, plan } from '@bufbuild/cel';
import type { ConditionLanguage, ConditionResult } from '@policy-machinery/policy-kind';
import { type JsonObject, PolicyMachineryError } from '@policy-machinery/resource';
import { celValueOf } from './cel-value.ts';
import { meteredFunctions } from './functions.ts';
import { type Fields, guard } from './guard.ts';
import { type CelOptions, limitsFrom } from './limits.ts';
import { Meter } from './meter.ts';
import { invalidCondition, parseCondition, shortened } from './parse-condition.ts';
import { withoutStackTraces } from './stack-traces.ts';

/** The types that `type(...)` can return. */
const types = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'];
const names = new Map<string, Fields>([
  ['spec', 'any'],
  ['self', ['spec']],
  ...types.map((type) => [type, 'any'] as const),
]);

/**
 * Returns a language for conditions on the spec of a policy, written in CEL (K-06).
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
  const limits = limitsFrom(options);
  const meter = new Meter(limits.steps);
  const functions = meteredFunctions(meter);
  const env = celEnv({ funcs: functions });

  const planOf = (expression: string) => {
    try {
      const parsed = parseCondition(expression, limits);
      return plan(env, guard(expression, parsed, { names, functions, comprehensions: limits.comprehensions }));
    } catch (error) {
      if (error instanceof PolicyMachineryError) throw error;
      throw invalidCondition('it cannot be compiled, probably because of its nesting; flatten it', '', error);
    }
  };

  return {
    compile(expression) {
      const evaluate = planOf(expression);
      const condition = (spec: JsonObject): ConditionResult => {
        meter.reset();
        try {
          const result = withoutStackTraces(() => evaluate(bindings(celValueOf(spec, meter))));
          if (meter.isExhausted) return tooMuch(limits.steps);
          return isCelError(result) ? failed(result) : verdict(result);
        } catch (error) {
          if (meter.isExhausted) return tooMuch(limits.steps);
          return failure(error instanceof Error ? error.message : String(error));
        }
      };
      condition({});
      if (meter.isExhausted)
        throw invalidCondition(`it takes more than ${limits.steps} steps even on an empty spec; simplify it`);
      return condition;
    },
  };
}

/** Returns the names that a condition can use, without a prototype that it could reach. */
function bindings(spec: CelValue): Record<string, CelValue> {
  return Object.assign(Object.create(null), { spec, self: celMap(new Map([['spec', spec]])) });
}

function verdict(value: CelValue): ConditionResult {
  if (typeof value === 'boolean') return { holds: value };
  return failure(`the condition returns a value of type ${celType(value).name}; make it return true or false`);
}

function tooMuch(steps: number): ConditionResult {
  return failure(`the condition takes more than ${steps} steps on this spec; simplify the condition or the spec`);
}

function failure(message: string, missing = false): ConditionResult {
  return { error: shortened(message), missing };
}

function failed(error: CelError): ConditionResult {
  const fault = faultIn(error);
  return failure((fault ?? error).message, fault === undefined);
}

/**
 * Returns a fault that is worse than a missing field, from an error or the errors merged into it. Only their texts distinguish
 * them.
 */
function faultIn(error: CelError): CelError | undefined {
  if (!/^(field not found: |index .* out of bounds)/s.test(error.message)) return error;
  const merged = Array.isArray(error.cause) ? error.cause.filter(isCelError) : [];
  return merged.map(faultIn).find((fault) => fault !== undefined);
}
