/** A request to an API server. */
export interface TransportRequest {
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** The path without a query: `/api/v1/namespaces`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request, or the stream that answers it. */
  readonly signal?: AbortSignal;
}

/** The answer of an API server. The body can be read once, in one of three ways. */
export interface TransportResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the whole body. */
  text(): Promise<string>;
  /** Returns the whole body, read as JSON. */
  json(): Promise<unknown>;
  /** Returns the lines of the body as they come, without their ends. The iteration ends when the body does, and throws when the connection breaks. */
  lines(): AsyncIterable<string>;
}

/** A way to an API server. */
export interface Transport {
  /** Sends a request. Rejects without an answer: when the connection is refused, breaks, or is aborted. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Frees the resources of the transport, such as idle connections. */
  close?(): void;
}
