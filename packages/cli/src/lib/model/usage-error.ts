/** An error of the caller: unknown arguments, or input that the command cannot work with. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
