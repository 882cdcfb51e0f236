import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '@policy-machinery/resource';
import { type Answer, text } from './answer.ts';
import { isLocal } from './debug.ts';
import { listen } from './listen.ts';
import { createRouter, type ProbesContent, type Router } from './routes.ts';

/** The address and the content of probes. */
export interface ProbesOptions extends ProbesContent {
  /** The port; 0 for any that is free. */
  readonly port: number;
  /** The address to listen on. Default: all addresses of the machine. */
  readonly host?: string | undefined;
  /** How long a request may take to arrive, in milliseconds. Default: 10 s. */
  readonly requestTimeout?: number | undefined;
  /** How long `close` waits for answers that are under way, in milliseconds. Default: 1 s. */
  readonly grace?: number | undefined;
}

/** The probes of this process. */
export interface Probes extends AsyncDisposable {
  /** The port. */
  readonly port: number;
  /** Ends all connections, those with an answer under way after the grace. Never rejects. */
  close(): Promise<void>;
}

/** How often Node looks for requests that take too long, in milliseconds. By default it does so twice a minute. */
const connectionsCheckingInterval = 1000;

/** The most connections at a time. The kubelet and Prometheus have a few, each for a moment. */
const maxConnections = 1000;

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, for kubelet and for Prometheus; and `/debug` for people on the same machine.
 *
 * As in Kubernetes, `/readyz?verbose` shows each check, `/readyz/<check>` shows one, and `/readyz?exclude=<check>` leaves one out. If a check
 * fails, the answer is 500, with the fault and its reason.
 *
 * @param options The address and the content.
 * @returns The probes. Rejects with advice if the server cannot listen there.
 * @throws {RangeError} If the name of a check cannot be part of a path, or two checks have the same name.
 * @example
 * ```ts
 * const probes = await startProbes({
 *   port: 8081,
 *   checks: { readyz: [{ name: 'sources', check: () => (sources.isSettled ? undefined : 'not all kinds are known') }] },
 * });
 * ```
 */
export async function startProbes(options: ProbesOptions): Promise<Probes> {
  const { grace = 1000, requestTimeout = 10_000 } = options;
  const router = createRouter(options);
  const underWay = new Set<ServerResponse>();
  const limits = { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval };
  const server = createServer(limits, (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    answerTo(request, router)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  const port = await listen(server, options);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeServer(server, underWay.size > 0 ? grace : 0);
    return closed;
  };
  return { port, close, [Symbol.asyncDispose]: close };
}

async function answerTo(request: IncomingMessage, router: Router): Promise<Answer> {
  const { method, url = '/' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    return { ...text(405, '405 method not allowed; use GET\n'), headers: { allow: 'GET, HEAD' } };
  }
  try {
    const [path = '', search = ''] = url.split(/\?(.*)/s);
    return await router(decodeURIComponent(path), new URLSearchParams(search), isLocal(request));
  } catch (error) {
    return text(error instanceof URIError ? 400 : 500, `${messageOf(error)}\n`);
  }
}

/** Sends an answer and closes the connection: the kubelet and Prometheus ask too seldom to keep one. */
function send(response: ServerResponse, { status, body, contentType, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': contentType ?? 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...headers,
  });
  response.end(body);
}

async function closeServer(server: Server, patience: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearTimeout(timer);
}
