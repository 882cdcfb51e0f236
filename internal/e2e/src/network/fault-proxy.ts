import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request on its way through a proxy. */
export interface ProxiedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** What a proxy does with a request. */
export type NetworkFault =
  /** Answers in place of the API server, which never hears of the request. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  /** Closes the connection in place of an answer. */
  | 'cut'
  /** Lets the API server have the request, and closes the connection in place of its answer. */
  | 'lose the answer'
  /** Never answers. */
  | 'silence'
  /** Lets the API server have what the function returns, when it does, unless the client has gone by then. */
  | ((request: ProxiedRequest) => ProxiedRequest | Promise<ProxiedRequest>);

/** Faults for the next requests of a kind. */
export interface FaultRule {
  readonly method: string;
  /** A part of the path. */
  readonly path: string;
  /** For how many requests. */
  readonly times: number;
  readonly fault: NetworkFault;
}

/** A change to what the API server sends. */
export interface Alteration {
  /** Which parts are meant: those with this text, of the next watches and of those that are open. */
  readonly with: string;
  /** For how many parts. */
  readonly times: number;
  /** Returns what arrives. */
  readonly to: (text: string) => string;
}

/** A proxy between a controller and an API server, which fails as networks do. */
export interface FaultProxy {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The requests so far: `PATCH /apis/…`. */
  readonly requests: readonly string[];
  /** The requests that are under way: `GET /api/…`. */
  readonly open: readonly string[];
  /** Fails the next requests that a rule is about. Returns a function that takes the rule back. */
  fail(rule: FaultRule): () => void;
  /** Changes what the API server sends, as something broken on the way does. */
  alter(alteration: Alteration): void;
  /** Closes all connections, with the watches on them. */
  cut(): void;
  /** Drops all that the API server sends on connections that are open now, which stay open: as a firewall does that has forgotten them. */
  silence(): void;
  /** Closes each connection from now on that is quiet for a time in milliseconds; 0 leaves them open. */
  closeQuiet(after: number): void;
  /** Closes each new connection while so many are open, as a load balancer with a limit does. */
  limitConnections(most: number): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy.
 *
 * @param target The address of the API server over plain HTTP, such as of `kubectl proxy`.
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const requests: string[] = [];
  const rules: { rule: FaultRule; left: number }[] = [];
  const alterations: { alteration: Alteration; left: number }[] = [];
  const open = new Map<ServerResponse, string>();
  const silent = new WeakSet<ServerResponse>();

  const takeFault = ({ method = '', url = '' }: IncomingMessage): NetworkFault | undefined => {
    const found = rules.find((it) => it.left > 0 && it.rule.method === method && url.includes(it.rule.path));
    if (found !== undefined) found.left -= 1;
    return found?.rule.fault;
  };

  const altered = (chunk: Buffer): string | Buffer => {
    const found = alterations.find((it) => it.left > 0 && chunk.includes(it.alteration.with));
    if (found === undefined) return chunk;
    found.left -= 1;
    return found.alteration.to(chunk.toString());
  };

  const handOn = ({ method, url, headers, body }: ProxiedRequest, response: ServerResponse, isLost: boolean) => {
    const outgoing = request(new URL(url, target), { method, headers: { ...headers, host: new URL(target).host } });
    response.once('close', () => outgoing.destroy());
    outgoing.once('error', () => response.destroy());
    outgoing.once('response', (answer) => {
      if (isLost) return void response.destroy();
      // A watch begins with its headers, also if nothing happens.
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.on('data', (chunk) => void (silent.has(response) || response.write(altered(chunk))));
      answer.once('end', () => void (silent.has(response) || response.end()));
      answer.once('error', () => response.destroy());
    });
    outgoing.end(body);
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = takeFault(incoming);
    const { method = 'GET', url = '/', headers } = incoming;
    // The length follows from the body.
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...others } = headers;
    const asked = { method, url, headers: others, body: await text(incoming) };
    if (fault === 'silence') return;
    if (fault === 'cut') return void response.destroy();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers }).end(fault.body);
      return;
    }
    const changed = typeof fault === 'function' ? await fault(asked) : asked;
    if (open.has(response)) handOn(changed, response, fault === 'lose the answer');
  };

  const server = createServer((incoming, response) => {
    const asked = `${incoming.method} ${incoming.url}`;
    requests.push(asked);
    open.set(response, asked);
    response.once('close', () => open.delete(response));
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get open() {
      return [...open.values()];
    },
    fail(rule) {
      const added = { rule, left: rule.times };
      rules.push(added);
      return () => {
        added.left = 0;
      };
    },
    alter: (alteration) => void alterations.push({ alteration, left: alteration.times }),
    cut: () => server.closeAllConnections(),
    silence() {
      for (const response of open.keys()) silent.add(response);
    },
    closeQuiet: (after) => void server.setTimeout(after),
    limitConnections(most) {
      server.maxConnections = most;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}
