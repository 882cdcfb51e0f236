import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What a proxy does with a request. */
export type NetworkFault =
  /** Answers in place of the API server, which never hears of the request. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  /** Closes the connection in place of an answer. */
  | 'cut'
  /** Lets the API server have the request, and closes the connection in place of its answer. */
  | 'lose the answer'
  /** Never answers. */
  | 'silence';

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
  /** Fails the next requests that a rule is about. */
  fail(rule: FaultRule): void;
  /** Changes what the API server sends, as something broken on the way does. */
  alter(alteration: Alteration): void;
  /** Closes all connections, with the watches on them. */
  cut(): void;
  /** Drops all that the API server sends on connections that are open now, which stay open: as a firewall does that has forgotten them. */
  silence(): void;
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
  const open = new Set<ServerResponse>();
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

  const server = createServer((incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming;
    requests.push(`${method} ${url}`);
    open.add(response);
    response.once('close', () => open.delete(response));
    const fault = takeFault(incoming);
    if (fault === 'silence') return;
    if (fault === 'cut') return void incoming.socket.destroy();
    if (typeof fault === 'object') {
      incoming.resume();
      response.writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers }).end(fault.body);
      return;
    }
    const outgoing = request(new URL(url, target), { method, headers: { ...headers, host: new URL(target).host } });
    incoming.pipe(outgoing);
    response.once('close', () => outgoing.destroy());
    outgoing.once('error', () => response.destroy());
    outgoing.once('response', (answer) => {
      if (fault === 'lose the answer') return void incoming.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk) => void (silent.has(response) || response.write(altered(chunk))));
      answer.once('end', () => void (silent.has(response) || response.end()));
      answer.once('error', () => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    fail: (rule) => void rules.push({ rule, left: rule.times }),
    alter: (alteration) => void alterations.push({ alteration, left: alteration.times }),
    cut: () => server.closeAllConnections(),
    silence() {
      for (const response of open) silent.add(response);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}
