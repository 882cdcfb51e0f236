/** The code of a failure without a code, as in client-go. */
const noCode = '<error>';

/** Returns the code of a failure for a label: an HTTP status such as `503`, a system code such as `ECONNREFUSED`, or `<error>`. */
export function errorCode(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : noCode;
}
