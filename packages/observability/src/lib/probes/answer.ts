/** An answer to a request. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Default: plain text. */
  readonly contentType?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns an answer of text. */
export function text(status: number, body: string): Answer {
  return { status, body };
}
