import { re2Languages } from '@policy-machinery/cel/languages';
import type { RegularExpression } from '@policy-machinery/gateway-api';
import type { ContestOptions } from '@policy-machinery/guarantees';

/**
 * Returns an engine with the common behavior of all implementations of regular expressions. They differ in their syntax and in the text to match: a
 * match of the whole text is one for all, and so is none in any part of the text. They also differ in the precedence of expressions and prefixes,
 * which is decided for known data planes alone.
 */
export function commonReading(): ContestOptions {
  return { regularLanguages: re2Languages(), regularExpressionPaths: 'both' };
}

/** Returns an engine with the common behavior of all implementations: see {@link commonReading}. */
export function commonExpressions(): RegularExpression {
  return re2Languages().engine('every');
}
