export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Default: plain text. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function text(status: number, body: string): Answer {
  return { status, body };
}
