/** V8 has the limit; other engines take no traces that cost anything. */
const errors: ErrorConstructor & { stackTraceLimit?: number } = Error;

/**
 * Runs something that makes errors as values, and returns what it returns. For the evaluator an error is a result like others, of which
 * a hostile condition makes one in each step; with a stack trace an error takes ten times as long to make.
 */
export function withoutStackTraces<Result>(run: () => Result): Result {
  const { stackTraceLimit } = errors;
  if (stackTraceLimit === undefined || Object.isFrozen(errors)) return run();
  errors.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
  }
}
