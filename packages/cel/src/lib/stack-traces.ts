/** V8 has this limit; in other engines, traces cost nothing. */
const errors: ErrorConstructor & { stackTraceLimit?: number } = Error;

/**
 * Runs code that creates errors as values, without stack traces, and returns its result. For the evaluator an error is a result
 * like others, and a hostile condition creates one in each step. Creating an error with a stack trace takes ten times as long.
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
