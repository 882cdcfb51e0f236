import type { IncomingMessage } from 'node:http';
import { messageOf, stringIn } from '@policy-machinery/resource';
import { StreamResponse } from './stream-response.ts';
import { TransportError, type TransportResponse } from './transport.ts';

/**
 * Returns an answer that Node reads.
 *
 * @param message The answer.
 * @param what The request, for messages.
 * @param signal Ends the request.
 */
export function nodeResponse(message: IncomingMessage, what: string, signal?: AbortSignal): TransportResponse {
  const headers: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(message.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return new StreamResponse(message.statusCode ?? 0, headers, chunksOf(message, what, signal), what);
}

async function* chunksOf(message: IncomingMessage, what: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* message;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw transportError(error, what);
  }
}

/** Node's codes for answers that are not HTTP, and for bodies that end early: the connection is of no more use. */
const broken = /^(HPE_|ERR_STREAM_)/;

/** Returns the error of a connection, with its code; `ECONNRESET` if the connection broke without one of the system. */
export function transportError(error: unknown, what: string): TransportError {
  const ownCode = typeof error === 'object' && error !== null && 'code' in error ? stringIn(error.code) : undefined;
  const code = ownCode === undefined || broken.test(ownCode) ? 'ECONNRESET' : ownCode;
  return new TransportError(code, `${what}: ${messageOf(error)}`, { cause: error });
}
