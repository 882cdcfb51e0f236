import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpTransport } from './http-transport.ts';
import { type RawServer, startRawServer } from './raw-server.fixture.ts';
import type { Transport, TransportRequest } from './transport.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const bodies: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  empty: '',
  ASCII: '{"preconditions":{"uid":"1"}}',
  'like a request': 'GET /smuggled HTTP/1.1\r\nhost: example.com\r\n\r\n',
  'multi-byte': '{"note":"grüße, 世界 🎉 \ud800"}',
  '1 MiB': 'x'.repeat(1024 * 1024),
};

/** An answer that a request may receive. */
interface Unexpected {
  readonly send: (socket: Socket) => void;
  /** The possible outcomes: status and body, or `broken`. */
  readonly outcomes: readonly string[];
  /** Whether the server answers before it has read the body. */
  readonly isEarly?: boolean;
  /** Whether the body never ends, so that only a signal ends the request. */
  readonly isEndless?: boolean;
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const writes = (text: string) => (socket: Socket) => void socket.write(text);
const ends = (text: string) => (socket: Socket) => void socket.end(text);
const first = ['200 first'];
const broken = ['broken'];

const answers: Readonly<Record<string, Unexpected>> = {
  'an answer': { send: writes(ok('first')), outcomes: first },
  '100 Continue before the answer': { send: writes(`HTTP/1.1 100 Continue\r\n\r\n${ok('first')}`), outcomes: first },
  '103 Early Hints before the answer': {
    send: writes(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${ok('first')}`),
    outcomes: first,
  },
  '204 with a body': { send: writes('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nfirst'), outcomes: ['204 '] },
  '304 with a length': { send: writes('HTTP/1.1 304 Same\r\ncontent-length: 5\r\n\r\n'), outcomes: ['304 '] },
  '304 with a body': { send: writes('HTTP/1.1 304 Same\r\ncontent-length: 5\r\n\r\nfirst'), outcomes: ['304 '] },
  'an answer before the body is read': {
    isEarly: true,
    send: writes('HTTP/1.1 413 Long\r\ncontent-length: 5\r\n\r\nfirst'),
    outcomes: ['413 first'],
  },
  'an answer before the body is read, then RST': {
    isEarly: true,
    send: (socket) => void socket.write(ok('first'), () => socket.resetAndDestroy()),
    outcomes: ['200 first', 'broken'],
  },
  'a length that is too long': {
    isEndless: true,
    send: writes('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfirst'),
    outcomes: ['aborted'],
  },
  'a length that is too long, then FIN': {
    send: ends('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfirst'),
    outcomes: broken,
  },
  'a length that is too short': {
    send: writes('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nfirst'),
    outcomes: ['200 f'],
  },
  'two lengths': {
    send: writes('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 1\r\n\r\nfirst'),
    outcomes: broken,
  },
  'a length and chunks': {
    send: writes('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n'),
    outcomes: broken,
  },
  'connection: close': {
    send: writes('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nfirst'),
    outcomes: first,
  },
  'HTTP/1.0 without a length': { send: ends('HTTP/1.0 200 OK\r\n\r\nfirst'), outcomes: first },
  'HTTP/1.0 with a length': { send: writes('HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nfirst'), outcomes: first },
  'chunks with trailers': {
    send: writes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nfir\r\n2\r\nst\r\n0\r\nx-a: b\r\n\r\n'),
    outcomes: first,
  },
  'chunks with a broken length': {
    send: writes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nfirst\r\n0\r\n\r\n'),
    outcomes: broken,
  },
  '101 with an upgrade': {
    send: writes('HTTP/1.1 101 Switch\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nfirst'),
    outcomes: broken,
  },
  '101 without an upgrade': { send: writes('HTTP/1.1 101 Switch\r\n\r\n'), outcomes: broken },
  garbage: { send: writes('\x16\x03\x01\x02\x00garbage\r\n\r\n'), outcomes: broken },
  'a header of 100 kB': {
    send: writes(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\ncontent-length: 5\r\n\r\nfirst`),
    outcomes: broken,
  },
  'two answers at once': { send: writes(ok('first') + ok('surplus')), outcomes: first },
  'an answer and the beginning of another one': { send: writes(`${ok('first')}HTTP/1.1 200`), outcomes: first },
  'an answer, then FIN': { send: ends(ok('first')), outcomes: first },
  'an answer, then RST': {
    send: (socket) => void socket.write(ok('first'), () => socket.resetAndDestroy()),
    outcomes: ['200 first', 'broken'],
  },
  'half an answer, then FIN': { send: ends('HTTP/1.1 200 OK\r\ncontent-'), outcomes: broken },
  'FIN without an answer': { send: ends(''), outcomes: broken },
  'RST without an answer': { send: (socket) => void socket.resetAndDestroy(), outcomes: broken },
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server that gives an answer to `/first`, and an ordinary one to all other requests. */
async function serve({ send, isEarly = false }: Unexpected): Promise<RawServer> {
  const server = await startRawServer((socket, target, missing) => {
    const isFirst = target.startsWith('/first');
    if (isFirst && isEarly === (missing !== undefined)) send(socket);
    if (!isFirst && missing === undefined) socket.write(ok(`answer to ${target}`));
  });
  closing.push(server.close);
  return server;
}

function transportTo({ url }: RawServer): Transport {
  const transport = httpTransport({ server: url });
  closing.push(() => transport.close?.());
  return transport;
}

/** Returns how a request ends: status and body, `broken`, or `aborted`. */
async function outcomeOf(transport: Transport, request: TransportRequest, isEndless = false): Promise<string> {
  const controller = new AbortController();
  try {
    const response = await transport.request({ ...request, signal: controller.signal });
    if (isEndless) controller.abort(new Error('aborted'));
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return ['ECONNRESET', 'EPIPE'].includes('code' in error ? String(error.code) : '') ? 'broken' : error.message;
  }
}

describe.each(Object.entries(answers))('after %s', (_, answer) => {
  it.each(methods)('%s: each request is framed, and receives its own answer or none', async (method) => {
    const server = await serve(answer);
    for (const [name, body] of Object.entries(bodies)) {
      const transport = transportTo(server);
      const path = `/first/${encodeURIComponent(name)}`;
      const outcome = await outcomeOf(
        transport,
        { method, path, ...(body !== undefined && { body }) },
        answer.isEndless,
      );
      expect(answer.outcomes).toContain(outcome);
      for (const next of ['/second', '/third']) {
        // A POST is not sent again when its kept connection turns out to have ended.
        const outcomes = [`200 answer to ${next}`, ...(method === 'POST' && next === '/second' ? broken : [])];
        expect(outcomes).toContain(await outcomeOf(transport, { method, path: next, body: next }));
      }
      expect(server.faults).toEqual([]);
      const received = server.connections.splice(0).flatMap(({ requests }) => requests);
      for (const request of received) {
        const sent = request.target === path ? Buffer.from(body ?? '').toString() : request.target;
        expect(request.method === method && request.body === sent).toBe(true);
      }
      // Only a request on a kept connection is sent again, and no POST.
      const once = received.filter(({ target }) => target === path || method === 'POST').map(({ target }) => target);
      expect(once).toEqual([...new Set(once)]);
    }
  });
});
