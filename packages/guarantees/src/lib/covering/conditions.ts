import { celConditions } from '@policy-machinery/cel';
import type { Condition } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';

/** Returns whether a condition in CEL holds for a spec; `undefined` if it cannot be evaluated. A field that is missing makes it false. */
export type Holds = (condition: string, spec: JsonObject) => boolean | undefined;

/** Returns a function that evaluates conditions. It compiles each condition once. */
export function conditionReader(): Holds {
  const { compile } = celConditions();
  const compiled = new Map<string, Condition>();
  return (condition, spec) => {
    const known = compiled.get(condition) ?? compile(condition);
    compiled.set(condition, known);
    const result = known(spec);
    if ('holds' in result) return result.holds;
    return result.missing ? false : undefined;
  };
}
