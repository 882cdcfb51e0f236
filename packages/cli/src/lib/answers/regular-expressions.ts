import { type Re2, re2 } from '@policy-machinery/cel/re2';
import type { RegularExpression } from '@policy-machinery/gateway-api';

/**
 * Returns an engine that answers what all implementations agree on, which differ in their syntax and in the text to match: a match of the whole
 * text is one for all, and so is none in any part of the text. Everything else depends on the implementation.
 */
export function commonExpressions(): RegularExpression {
  const compiled = new Map<string, Re2 | undefined>();
  return (pattern) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
    const expression = compiled.get(pattern);
    return (text) => {
      if (expression?.matchesWhole(text)) return true;
      return expression?.matches(text) === false ? false : undefined;
    };
  };
}

/** Returns a regular expression; `undefined` if RE2 does not understand it, as others may, or would take too long for it. */
function compile(pattern: string): Re2 | undefined {
  try {
    return re2(pattern);
  } catch {
    return undefined;
  }
}
