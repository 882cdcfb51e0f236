/** A command was called in a way that it does not understand, or cannot do its work. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
