/** What a matcher of vitest or jest returns. */
export interface MatcherResult {
  readonly pass: boolean;
  /** Returns why the assertion fails; with `not`, why its opposite fails. */
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** What matchers use of vitest or jest. */
export interface MatcherContext {
  /** Compares two values, among which can be `expect.objectContaining(…)` and the like. */
  equals(one: unknown, other: unknown): boolean;
}

/**
 * Makes the result of a matcher.
 *
 * @param pass Whether what is expected holds.
 * @param subject What is compared: `the effective spec of HTTPRoute shop/cart`.
 * @param expectation What it must be: `to be {"request":"1s"}`.
 * @param explanation What is the case instead, and why.
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

/** Indents lines. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
