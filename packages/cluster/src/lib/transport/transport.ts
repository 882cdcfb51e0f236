/** A request to the API server. */
export interface TransportRequest {
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** Path from the root of the server, without a query: `/apis/apps/v1/deployments`. */
  readonly path: string;
  /** Query parameters, not encoded. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers in addition to the transport's own: credentials, user agent. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request when it aborts, also while the body of the response is read. */
  readonly signal?: AbortSignal;
}

/** An answer of the API server. Read its body with one of the three methods, once. */
export interface TransportResponse {
  /** HTTP status code. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Reads the whole body. Rejects if the connection breaks, and with the code `EBODYTOOLONG` if the body is longer than so many bytes. Default:
   * 128 MiB.
   */
  text(maxBytes?: number): Promise<string>;
  /** Reads the whole body as JSON. Rejects as {@link text} does, and if the body is not JSON. */
  json(maxBytes?: number): Promise<unknown>;
  /** Reads the body line by line, without line breaks. Ends when the server closes the body; throws if the connection breaks. */
  lines(): AsyncIterable<string>;
}

/**
 * Sends requests to an API server. The package needs nothing else of a cluster, so you can use your own client, a
 * recorder or a fake in its place.
 *
 * `request` resolves with every answer, also with 404 or 500. It rejects without an answer.
 */
export interface Transport {
  /** Sends a request. Rejects with an error that has a `code`, such as {@link TransportError}, or with the reason of the signal. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Closes all connections. Requests in flight fail. */
  close?(): void;
}

/** The error of a request without an answer: a refused, broken or silent connection. */
export class TransportError extends Error {
  override readonly name = 'TransportError';

  /**
   * @param code The system's code, for example `ECONNREFUSED`; `ETIMEDOUT` if the server was silent for too long.
   * @param message The failure, with the address.
   * @param options The cause, if another error caused this one.
   */
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the system's code of a failed connection: of a {@link TransportError}, or of an error of another transport. */
export function connectionCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
