import { TransportError } from '../transport/transport.ts';

/** A `Status`, as an API server writes it. */
export interface FailureStatus {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly status: 'Failure';
  readonly reason: string;
  readonly message: string;
  readonly code: number;
}

/** The HTTP status codes of Kubernetes' reasons: kubectl prints the reason alone. */
const codes: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  ServerTimeout: 500,
  Timeout: 504,
};

/**
 * Returns the meaning of kubectl's complaint: `Error from server (NotFound): …` is an answer of the API server; all else means that
 * the server did not answer.
 *
 * @param complaint The text that kubectl printed to standard error.
 * @param what The request, for the message.
 * @returns The `Status` of the answer, or the error of the connection.
 */
export function kubectlFailure(complaint: string, what: string): FailureStatus | TransportError {
  const text = complaint.trim();
  const answer = /^Error from server(?: \((\w+)\))?: (.*)$/ms.exec(text);
  if (answer !== null) {
    const [, reason = 'InternalError', message = ''] = answer;
    const code = codes[reason] ?? 500;
    return { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code };
  }
  if (/must be logged in to the server/.test(text)) {
    return { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', message: text, code: 401 };
  }
  const code = /was refused|connection refused/.test(text) ? 'ECONNREFUSED' : 'EKUBECTL';
  return new TransportError(code, `${what}: ${text}`);
}
