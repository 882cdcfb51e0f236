/** The result of a matcher of vitest or jest. */
export interface MatcherResult {
  readonly pass: boolean;
  /** Returns why the assertion fails; with `not`, why its opposite fails. */
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The context of a matcher of vitest or jest. */
export interface MatcherContext {
  /** Compares two values, among which can be `expect.objectContaining(…)` and the like. */
  equals(one: unknown, other: unknown): boolean;
}

/**
 * Makes the result of a matcher.
 *
 * @param pass Whether the expectation holds.
 * @param subject The subject: `the effective spec of HTTPRoute shop/cart`.
 * @param expectation The expectation: `to be {"request":"1s"}`.
 * @param explanation The actual state, with reasons.
 */
export function result(
  pass: boolean,
  {
    subject,
    expectation,
    explanation,
  }: { readonly subject: string; readonly expectation: string; readonly explanation: () => string },
  values: Pick<MatcherResult, 'actual' | 'expected'> = {},
): MatcherResult {
  const message = () => `Expected ${subject}${pass ? ' not' : ''} ${expectation}.\n\n${explanation()}`;
  return { pass, message, ...(pass ? {} : values) };
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
