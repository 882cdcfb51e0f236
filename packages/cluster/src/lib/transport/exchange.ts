import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agents } from './agents.ts';
import type { Credentials } from './credentials.ts';
import { nodeResponse, transportError } from './node-response.ts';
import { connectionRemedy } from './remedy.ts';
import { connectionCode, TransportError, type TransportRequest, type TransportResponse } from './transport.ts';

/** A server, with the connections to it. */
export interface Endpoint {
  readonly server: URL;
  readonly agents: Agents;
  readonly userAgent: string;
}

/**
 * Sends a request, and waits for the beginning of the answer. If the request was sent on a kept connection that has ended, it is sent again,
 * except for POST.
 *
 * @param endpoint The server.
 * @returns The answer. Rejects if there is none, and with the reason of the signal.
 */
export async function exchange(
  endpoint: Endpoint,
  request: TransportRequest,
  credentials: Credentials,
): Promise<TransportResponse> {
  for (;;) {
    request.signal?.throwIfAborted();
    const response = await answerTo(begin(endpoint, request, credentials), request, endpoint);
    if (response !== undefined) return response;
  }
}

function begin(
  { server, agents, userAgent }: Endpoint,
  { method, path, query = {}, headers, body }: TransportRequest,
  credentials: Credentials,
): ClientRequest {
  const search = new URLSearchParams(query).toString();
  // Node frames the body of a DELETE or a GET only if its length is given.
  const framing = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return agents.request({
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    method,
    path: `${server.pathname.replace(/\/$/, '')}${path}${search === '' ? '' : `?${search}`}`,
    headers: { accept: 'application/json', 'user-agent': userAgent, ...credentials.headers, ...headers, ...framing },
    credentials,
  });
}

/** Waits for the beginning of the answer; `undefined` if the connection was a kept one that has ended. */
function answerTo(
  sent: ClientRequest,
  { method, path, body, signal }: TransportRequest,
  { server, agents }: Endpoint,
): Promise<TransportResponse | undefined> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    let error: Error | undefined;
    const abort = () => {
      // The free connections lead through the same network, which may have forgotten them as well.
      if (connectionCode(signal?.reason) === 'ETIMEDOUT') agents.closeFree();
      (answer ?? sent).destroy(reasonOf(signal));
    };
    const fail = (failure: unknown, code: string | undefined) => {
      const remedy = sent.reusedSocket ? undefined : connectionRemedy(code, agents.countAnswered());
      reject(withRemedy(failure, remedy));
    };
    signal?.addEventListener('abort', abort, { once: true });
    sent.on('error', (each) => {
      error = each;
    });
    sent.once('response', (response) => {
      if (response.statusCode === 101) return void sent.destroy(); // No HTTP follows, and no error is emitted.
      answer = response;
      resolve(nodeResponse(response, `${method} ${path}`, signal));
    });
    sent.once('close', () => {
      signal?.removeEventListener('abort', abort);
      if (answer !== undefined) return;
      const code = connectionCode(error);
      if (signal?.aborted) fail(signal.reason, connectionCode(signal.reason));
      else if (sent.reusedSocket && method !== 'POST' && isEnd(code)) resolve(undefined);
      else fail(transportError(error ?? new Error('no answer'), `${method} ${server.origin}${path}`), code);
    });
    sent.end(body);
  });
}

function isEnd(code: string | undefined): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function withRemedy(failure: unknown, remedy: string | undefined): unknown {
  if (remedy === undefined || !(failure instanceof TransportError)) return failure;
  return new TransportError(failure.code, `${failure.message}; ${remedy}`, { cause: failure });
}

export function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('aborted');
}
