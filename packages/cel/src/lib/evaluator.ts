import { type CelError, type CelValue, celEnv, celError, celType, isCelError, plan } from '@bufbuild/cel';
import type { ConditionResult } from '@policy-machinery/policy-kind';
import { type JsonValue, PolicyMachineryError } from '@policy-machinery/resource';
import { celValueOf } from './cel-value.ts';
import { type Advice, type CelVariables, type Refuse, readFields } from './fields.ts';
import { meteredFunctions } from './functions.ts';
import { guard } from './guard.ts';
import { type CelLimits, type CelOptions, limitsFrom } from './limits.ts';
import { Meter } from './meter.ts';
import { type Expr, invalidCondition, parseCondition, placeOf, shortened } from './parse-condition.ts';
import { withoutStackTraces } from './stack-traces.ts';
import { type CelTest, type CelTestedVariables, checkedTest, replaceTests } from './tested-parts.ts';

/** The types that `type(...)` can return. */
const types = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'];

/** Evaluates an expression with values for its variables. Never throws. */
export interface Evaluate {
  (values: Values, answer?: CelAnswer): ConditionResult;
  /** Returns whether the last evaluation used up its steps. */
  readonly isExhausted: () => boolean;
}

/** An expression that is ready to be evaluated. */
export interface Compiled {
  readonly evaluate: Evaluate;
  readonly reads: readonly (readonly string[])[];
}

/** Compiles expressions, all with the same limits. */
export interface Evaluator {
  readonly limits: CelLimits;
  readonly compile: (expression: string, variables: CelVariables, advice: Advice, bind?: Bind) => Compiled;
}

/** Answers whether a part of a variable passes a test. */
export type CelAnswer = (test: CelTest) => boolean;

type Values = Readonly<Record<string, JsonValue | undefined>>;

/** Returns the values of variables for CEL. */
type Bind = (values: Values, convert: (value: JsonValue) => CelValue) => Readonly<Record<string, CelValue>>;

/** Returns an evaluator of expressions with bounded cost, which may test some variables. */
export function evaluator(options?: CelOptions, tested: CelTestedVariables = {}): Evaluator {
  const limits = limitsFrom(options);
  const meter = new Meter(limits.steps);
  let answering: CelAnswer = unanswered;
  const functions = meteredFunctions(meter, (variable, part, name, operator, value) => {
    const testable = tested[variable]?.parts[part];
    if (testable === undefined) throw celError(`${variable}.${part} does not exist`);
    const test = { variable, part, name, operator: operator === 'under' ? operator : '==', value } as const;
    return answering(
      checkedTest(test, testable, (fault) => {
        throw celError(fault);
      }),
    );
  });
  const setup: Setup = { limits, tested, functions, env: celEnv({ funcs: functions }) };

  return {
    limits,
    compile(expression, variables, advice, bind = bindEach) {
      const { run, reads } = planOf(expression, variables, advice, setup);
      const convert = (value: JsonValue): CelValue => celValueOf(value, meter);
      const evaluate = (values: Values, answer = unanswered): ConditionResult => {
        meter.reset();
        answering = answer;
        try {
          // Without a prototype that an expression could reach.
          const result = withoutStackTraces(() => run(Object.assign(Object.create(null), bind(values, convert))));
          if (meter.isExhausted) return tooMuch(limits.steps);
          return isCelError(result) ? failed(result) : verdict(result);
        } catch (error) {
          if (meter.isExhausted) return tooMuch(limits.steps);
          return failure(error instanceof Error ? error.message : String(error));
        }
      };
      return { evaluate: Object.assign(evaluate, { isExhausted: () => meter.isExhausted }), reads };
    },
  };
}

/** The shared state of the expressions of one evaluator. */
interface Setup {
  readonly limits: CelLimits;
  readonly tested: CelTestedVariables;
  readonly functions: ReturnType<typeof meteredFunctions>;
  readonly env: ReturnType<typeof celEnv>;
}

/** Checks an expression, and prepares it for evaluation. */
function planOf(expression: string, variables: CelVariables, advice: Advice, setup: Setup) {
  const { limits, tested, functions, env } = setup;
  try {
    const parsed = parseCondition(expression, limits);
    const refuse: Refuse = (expr: Expr, reason: string): never => {
      const offset = parsed.sourceInfo?.positions[String(expr.id)] ?? 0;
      throw invalidCondition(reason, placeOf(expression, offset));
    };
    if (parsed.expr !== undefined) replaceTests(parsed.expr, tested, refuse);
    const reads = parsed.expr === undefined ? [] : readFields(parsed.expr, variables, refuse, advice);
    const variableNames = Object.keys(variables);
    const names = new Set([...variableNames, ...types]);
    const adviceFor = (name: string) => advice(variableNames, name);
    const { comprehensions } = limits;
    return { run: plan(env, guard(parsed, { names, advice: adviceFor, refuse, functions, comprehensions })), reads };
  } catch (error) {
    if (error instanceof PolicyMachineryError) throw error;
    throw invalidCondition('it cannot be compiled, probably because of its nesting; flatten it', '', error);
  }
}

const unanswered: CelAnswer = ({ variable }) => {
  throw celError(`nothing is known about ${variable}`);
};

const bindEach: Bind = (values, convert) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, convert(value)]])),
  );

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

/** Returns a fault that is worse than a missing field, from an error or the errors merged into it. Only their texts distinguish them. */
function faultIn(error: CelError): CelError | undefined {
  if (!/^(field not found: |index .* out of bounds)/s.test(error.message)) return error;
  const merged = Array.isArray(error.cause) ? error.cause.filter(isCelError) : [];
  return merged.map(faultIn).find((fault) => fault !== undefined);
}
