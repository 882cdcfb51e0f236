/**
 * The message of what was thrown: anything can be, even what cannot be written down.
 *
 * @param error What was thrown.
 * @returns Its message, or itself as text. Never throws.
 */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'a value without a message was thrown';
  }
}
