import { printable, printableLines } from './printable.ts';

/** A place in a text: a file or another source, a line and a column, both counted from 1. */
export interface SourcePosition {
  /** File name, URL or `stdin`. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** A fault of an input, with its place and the remedy. */
export interface Issue {
  /** Stable and short, for programs: `missing-target`. */
  readonly code: string;
  /** One or two sentences for people: the problem and its remedy. */
  readonly message: string;
  /** An `error` means that something is left out of the result; a `warning` means that the result may be unexpected. */
  readonly severity: 'error' | 'warning';
  /** Locator of the faulty resource. */
  readonly resource?: string;
  /** JSON Pointer to the faulty field, from the root of the resource. */
  readonly pointer?: string;
  /** The position of the fault in the text. */
  readonly position?: SourcePosition;
}

/**
 * Formats an issue as one line: `file:line:column: severity: message (resource pointer) [code]`. Text from others is made
 * {@link printable}.
 *
 * @returns The line, without a line break at its end.
 */
export function formatIssue(issue: Issue): string {
  const { position, severity, message, resource, pointer, code } = issue;
  const where = position === undefined ? '' : `${position.source}:${position.line}:${position.column}: `;
  const what = [resource, pointer].filter((part) => part !== undefined && part !== '').join(' ');
  return printable(`${where}${severity}: ${message}${what === '' ? '' : ` (${what})`} [${code}]`);
}

/**
 * The error that every package of policy-machinery throws, with a stable code and all issues.
 *
 * Compare `code`, not the class, if two copies of the package may be installed.
 */
export class PolicyMachineryError extends Error {
  override readonly name = 'PolicyMachineryError';

  /**
   * @param code Stable and short: `invalid-manifests`.
   * @param message The failed operation.
   * @param issues All issues that caused the failure. Default none.
   * @param options The cause, if another error caused this one.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly issues: readonly Issue[] = [],
    options?: ErrorOptions,
  ) {
    super([printableLines(message), ...issues.map((issue) => `  ${formatIssue(issue)}`)].join('\n'), options);
  }
}
