import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { livePage } from '@policy-machinery/report';
import { errorMessage } from '../model/error-message.ts';
import type { Contents } from './contents.ts';
import type { EventStreams } from './event-streams.ts';
import { type Guard, refusalOf } from './guards.ts';

/** The headers of every response: nothing is kept, framed, or told to other sites. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The limits of connections. The page needs two at a time, and browsers open a few more. */
const limits = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384 };
const mostConnections = 128;

export interface Served {
  readonly guard: Guard;
  readonly title: string;
  readonly contents: Contents;
  readonly streams: EventStreams;
  /** Called with an error that kept a request from its answer. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Starts a server of the page, its data and its events.
 *
 * @param port The port; 0 for a free one.
 * @param address The address to listen on.
 * @returns The server, which listens. Rejects if it cannot.
 */
export async function startServer(served: Served, port: number, address: string): Promise<Server> {
  const server = createServer(limits, (request, response) => {
    try {
      answer(served, request, response);
    } catch (error) {
      served.onFault(error);
      if (response.headersSent) response.destroy();
      else plain(response, 500, errorMessage(error).split('\n', 1)[0] ?? '');
    }
  });
  server.maxConnections = mostConnections;
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}

function answer(served: Served, request: IncomingMessage, response: ServerResponse): void {
  const { guard, title, contents, streams } = served;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const refusal = refusalOf(request, guard);
  if (refusal !== undefined) {
    if (refusal.status === 405) response.setHeader('allow', 'GET, HEAD');
    response.setHeader('connection', 'close'); // A body that nobody reads would come next.
    plain(response, refusal.status, refusal.message);
    return;
  }
  const [path = ''] = (request.url ?? '/').split('?', 1);
  const rest = path.slice(guard.token.length + 1);
  if (rest === '') {
    response.writeHead(308, { location: `/${guard.token}/` }).end();
  } else if (rest === '/') {
    send(response, 'text/html; charset=utf-8', Buffer.from(livePage({ title })));
  } else if (rest === '/data') {
    sendData(request, response, contents);
  } else if (rest === '/events' && request.method === 'GET') {
    if (!streams.add(response, contents.data().version)) plain(response, 503, 'Too many pages are open.');
  } else plain(response, 404, 'There is nothing here.');
}

function sendData(request: IncomingMessage, response: ServerResponse, contents: Contents): void {
  const { version, json } = contents.data();
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  response.setHeader('etag', `"${version}"`);
  response.setHeader('vary', 'accept-encoding');
  if (isZipped) response.setHeader('content-encoding', 'gzip');
  send(response, 'application/json', isZipped ? contents.zipped() : Buffer.from(json));
}

function send(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body); // Node sends no body in answer to HEAD.
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
