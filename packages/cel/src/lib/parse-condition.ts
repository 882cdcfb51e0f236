import { parse } from '@bufbuild/cel';
import { PolicyMachineryError } from '@policy-machinery/resource';
import type { CelLimits } from './limits.ts';

export type ParsedCondition = ReturnType<typeof parse>;

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
 * Returns the only error that `compile` throws.
 *
 * @param reason The fault, with the remedy.
 * @param place The result of `placeOf`, if known.
 */
export function invalidCondition(reason: string, place = '', cause?: unknown): PolicyMachineryError {
  return new PolicyMachineryError('invalid-condition', `The condition is invalid${place}: ${reason}`, [], { cause });
}

/** Shortens a message, which may quote a condition or a spec, and list everything that the parser expected. */
export function shortened(message: string): string {
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}

/** Returns a place as text, such as ` at line 1, column 7`, both counted from 1. */
export function placeOf(expression: string, offset: number): string {
  const lines = expression.slice(0, offset).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Matches one bracket, or comments and strings: brackets in these do not nest. It reads each character once. It may misread rare strings, such as
 * raw ones that end in a backslash, so the parser may still run out of stack if the limits are raised.
 */
const tokens = /\/\/[^\n]*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[([{}\])]/gs;

/** Returns the offset where brackets are first nested too deeply. */
function firstBelow(expression: string, depth: number): number | undefined {
  let level = 0;
  for (const { 0: token, index } of expression.matchAll(tokens)) {
    if ('([{'.includes(token)) level += 1;
    else if (')]}'.includes(token)) level = Math.max(0, level - 1);
    if (level > depth) return index;
  }
  return undefined;
}
