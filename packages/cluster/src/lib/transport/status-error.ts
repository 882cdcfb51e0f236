import { STATUS_CODES } from 'node:http';
import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import { printableLines } from '@policy-machinery/resource/inner';
import { connectionCode, type TransportRequest, type TransportResponse } from './transport.ts';

/** The longest body of an error that is read, in bytes; API servers send a few thousand. */
const maxErrorBytes = 1024 * 1024;

/** The longest message of a server that is kept, in characters. */
const maxMessage = 4096;

/** The most characters of an answer without a message that are kept. */
const maxExcerpt = 256;

/** The longest delay that a server can ask for, in milliseconds: five minutes. */
const maxRetryAfter = 300_000;

/** A cause in the details of a `Status`: one field that is wrong. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  /** The field as the API server writes it: `spec.rules[0].name`. */
  readonly field: string;
}

/** A failed answer, with the content of the `Status` in its body. */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  /**
   * @param code HTTP status code.
   * @param reason Kubernetes' word for the code: `NotFound`, `Conflict`, `Expired`; `''` if the body was no `Status`.
   * @param message The message of the API server, with the request.
   * @param causes The fields that are wrong, if the API server names them.
   * @param retryAfter The delay until the next attempt that the API server asks for, in milliseconds; at most five minutes.
   * @param isFromApiServer Whether the body is one that an API server writes, and not something between here and there.
   */
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly causes: readonly StatusCause[] = [],
    readonly retryAfter: number | undefined = undefined,
    readonly isFromApiServer = true,
  ) {
    super(message);
  }
}

/**
 * Reads an answer other than success.
 *
 * @param response The answer; its body is read.
 * @param request The request, for the message.
 * @returns The error. Rejects if the connection breaks while the body is read.
 */
export async function readStatusError(response: TransportResponse, request: TransportRequest): Promise<StatusError> {
  const what = `${request.method} ${request.path}`;
  const text = await response.text(maxErrorBytes).catch((error: unknown) => {
    if (connectionCode(error) === 'EBODYTOOLONG') return undefined; // The status alone shows the failure.
    throw error;
  });
  const { status: code, headers } = response;
  if (code === 404 && text?.trim() === noSuchPath && stamps.some((name) => name in headers)) {
    return new StatusError(404, 'NotFound', `${what}: ${noSuchPath}`);
  }
  const { 'content-type': type = 'without a content-type', 'retry-after': retryAfter } = headers;
  const excerpt = text === undefined ? `more than ${maxErrorBytes} bytes` : JSON.stringify(text.slice(0, maxExcerpt));
  return statusError(parse(text), { what, code, retryAfter, answer: `${type.slice(0, maxExcerpt)}, ${excerpt}` });
}

/** The text that an API server answers for paths of unknown groups, instead of a `Status`. Other servers in Go do so as well. */
const noSuchPath = '404 page not found';

/** Headers of each answer of an API server, also of aggregated ones: of its audit, and of its priority and fairness, which can be off. */
const stamps = ['audit-id', 'x-kubernetes-pf-flowschema-uid'];

/** The context of a `Status`. */
export interface StatusContext {
  /** The request: `GET /api/v1/pods`. */
  readonly what: string;
  /** The code of the answer. Default: the one in the `Status`. */
  readonly code?: number;
  /** The header `retry-after`. */
  readonly retryAfter?: string | undefined;
  /** The type and the beginning of the answer, for a message if the `Status` has none. Default: the body as JSON. */
  readonly answer?: string;
}

/**
 * Returns the error for a `Status`, from the body of an answer or from an ERROR event of a watch.
 *
 * @param body The `Status`, or anything else.
 * @param context Where it comes from.
 * @returns The error.
 */
export function statusError(body: unknown, context: StatusContext): StatusError {
  const status: JsonObject = isJsonObject(body) && body.kind === 'Status' ? body : {};
  const details: JsonObject = isJsonObject(status.details) ? status.details : {};
  const code = context.code ?? codeOf(status.code);
  const reason = stringIn(status.reason)?.slice(0, maxExcerpt) ?? '';
  const causes = Array.isArray(details.causes) ? details.causes.filter(isJsonObject).map(causeOf) : [];
  const seconds = Number(context.retryAfter ?? details.retryAfterSeconds);
  const retryAfter = seconds > 0 ? Math.min(Math.ceil(seconds * 1000), maxRetryAfter) : undefined;
  const message = stringIn(status.message)?.slice(0, maxMessage) || insteadOfMessage(body, context);
  const text = printableLines(`${context.what}: ${code} ${reason || (STATUS_CODES[code] ?? '')}: ${message}`);
  return new StatusError(code, reason, text, causes, retryAfter, status.kind === 'Status');
}

function insteadOfMessage(body: unknown, { answer }: StatusContext): string {
  return `no message; the answer is ${answer ?? String(JSON.stringify(body)).slice(0, maxExcerpt)}`;
}

/** Returns the code of an error in HTTP; 500 for anything else. */
function codeOf(code: unknown): number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
}

function causeOf(cause: JsonObject): StatusCause {
  const { reason, message, field } = cause;
  return { reason: stringIn(reason) ?? '', message: stringIn(message) ?? '', field: stringIn(field) ?? '' };
}

function parse(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
