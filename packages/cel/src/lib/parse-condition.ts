import { parse } from '@bufbuild/cel';
import { PolicyMachineryError } from '@policy-machinery/resource';
import type { CelLimits } from './limits.ts';

/** What the parser makes of a condition. */
export type ParsedCondition = ReturnType<typeof parse>;

/** Any part of a condition. */
export type Expr = NonNullable<ParsedCondition['expr']>;

/** Parses a condition that is neither too long nor nested too deeply; throws `invalid-condition`, or runs out of stack. */
export function parseCondition(expression: string, { characters, depth }: CelLimits): ParsedCondition {
  if (expression.length > characters) {
    throw invalidCondition(`it has ${expression.length} characters; shorten it to ${characters}`);
  }
  const tooDeep = firstBelow(expression, depth);
  if (tooDeep !== undefined) {
    throw invalidCondition(
      `brackets are nested more than ${depth} levels deep; flatten it`,
      placeOf(expression, tooDeep),
    );
  }
  try {
    return parse(expression);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const [, line, column, found] = /^<input>:(\d+):(\d+): (.*)$/s.exec(reason) ?? [];
    const place = found === undefined ? '' : ` at line ${line}, column ${column}`;
    throw invalidCondition(`${shortened(found ?? reason)}; correct its syntax`, place, error);
  }
}

/**
 * The one error that `compile` throws.
 *
 * @param reason What is wrong and what to do.
 * @param place What `placeOf` says, if it is known.
 */
export function invalidCondition(reason: string, place = '', cause?: unknown): PolicyMachineryError {
  return new PolicyMachineryError('invalid-condition', `The condition is invalid${place}: ${reason}`, [], { cause });
}

/** Messages may quote a condition or a spec, and list all that the parser would have taken. */
export function shortened(message: string): string {
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}

/** ` at line 1, column 7`, both counted from 1. */
export function placeOf(expression: string, offset: number): string {
  const lines = expression.slice(0, offset).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Comments and strings, whose brackets do not nest; or one bracket. It may misread rare strings (raw ones that end in a
 * backslash, say), which is why the parser may still run out of stack where the limits have been raised.
 */
const tokens = /\/\/[^\n]*|(["'])(?:\\.|(?!\1).)*\1|[([{}\])]/gs;

/** Where brackets nest too deeply for the first time. */
function firstBelow(expression: string, depth: number): number | undefined {
  let level = 0;
  for (const { 0: token, index } of expression.matchAll(tokens)) {
    if ('([{'.includes(token)) level += 1;
    else if (')]}'.includes(token)) level = Math.max(0, level - 1);
    if (level > depth) return index;
  }
  return undefined;
}
