/**
 * Returns the message of a thrown value, which can be anything, even a value that cannot be converted to text.
 *
 * @param error The thrown value.
 * @returns Its message, or the value as text. Never throws.
 */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'a value without a message was thrown';
  }
}
