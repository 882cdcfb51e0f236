import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Answer } from '../api-server/server/answer.ts';
import { ConnectionError } from '../api-server/server/answer.ts';
import type { TransportRequest } from './transport.ts';

/** An HTTP server on the loopback interface. */
export interface HttpServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Breaks all connections, and stops listening. */
  close(): Promise<void>;
}

/** Serves a handler of requests over HTTP/1.1 on 127.0.0.1. */
export async function listen(handle: (request: TransportRequest) => Promise<Answer>, port = 0): Promise<HttpServer> {
  const server = createServer((request, response) => {
    serve(handle, request, response).catch(() => request.socket.resetAndDestroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => closed(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  handle: (request: TransportRequest) => Promise<Answer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const disconnection = new AbortController();
  response.once('close', () => disconnection.abort());
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { status, headers, body } = await handle({
    method: request.method ?? 'GET',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    ),
    body: Buffer.concat(chunks).toString(),
    signal: disconnection.signal,
  });
  response.writeHead(status, headers);
  if (typeof body === 'string') {
    response.end(body);
    return;
  }
  response.flushHeaders();
  disconnection.signal.addEventListener('abort', () => body.fail(new ConnectionError('ECONNRESET')), { once: true });
  for await (const line of body) response.write(`${line}\n`);
  response.end();
}
