import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request as a strict parser of HTTP/1.1 reads it. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

/** The first line and the headers of a request. */
interface Head {
  readonly method: string;
  readonly target: string;
  /** The length with the blank line, in bytes. */
  readonly length: number;
  /** The length of the body, in bytes. */
  readonly bodyLength: number;
}

/** A connection to a {@link RawServer}. */
export interface RawConnection {
  readonly socket: Socket;
  /** The complete requests. */
  readonly requests: RawRequest[];
  /** The bytes after the last complete request. */
  rest: Buffer;
}

/** A TCP server that reads requests strictly, and answers with any bytes. */
export interface RawServer {
  readonly url: string;
  /** All connections so far. */
  readonly connections: RawConnection[];
  /** The faults of all requests: bytes that are not a request. */
  readonly faults: readonly string[];
  /** Refuses further connections. */
  refuse(): void;
  close(): void;
}

/** Answers a request. Called when its head has arrived, with the number of bytes of the body that are missing, and when its body has arrived. */
export type Answer = (socket: Socket, target: string, missing?: number) => void;

/** Starts a server on the loopback interface. */
export async function startRawServer(answer: Answer): Promise<RawServer> {
  const connections: RawConnection[] = [];
  const faults: string[] = [];
  const server = createServer((socket) => {
    const connection: RawConnection = { socket, requests: [], rest: Buffer.alloc(0) };
    connections.push(connection);
    socket.on('error', () => {});
    let head: Head | undefined;
    socket.on('data', (chunk) => {
      connection.rest = Buffer.concat([connection.rest, chunk]);
      try {
        for (;;) {
          if (head === undefined) {
            head = parseHead(connection.rest);
            if (head === undefined) return;
            answer(socket, head.target, Math.max(0, head.length + head.bodyLength - connection.rest.length));
          }
          const { method, target, length, bodyLength } = head;
          if (connection.rest.length < length + bodyLength) return;
          const body = connection.rest.toString('utf8', length, length + bodyLength);
          connection.rest = connection.rest.subarray(length + bodyLength);
          connection.requests.push({ method, target, body });
          head = undefined;
          answer(socket, target);
        }
      } catch (error) {
        faults.push(String(error));
        socket.destroy();
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const refuse = () => void server.close();
  const close = () => {
    for (const { socket } of connections) socket.destroy();
    refuse();
  };
  return { url: `http://127.0.0.1:${port}`, connections, faults, refuse, close };
}

/**
 * Parses a head as RFC 9112 requires, without any of the leniency that it permits. A body needs one `content-length`.
 *
 * @returns The head; `undefined` if it is not complete.
 * @throws {Error} If the bytes are not the beginning of a request.
 */
function parseHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    if (bytes.length > 0 && !/^[A-Z]/.test(bytes.toString('latin1', 0, 1))) throw new Error(`no method: ${bytes}`);
    return undefined;
  }
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const [, method, target] = /^([A-Z]+) (\/[!-~]*) HTTP\/1\.1$/.exec(first) ?? [];
  if (method === undefined || target === undefined) throw new Error(`not a request line: ${first}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([ -~]*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a header: ${line}`);
    if (headers.has(name.toLowerCase())) throw new Error(`repeated header: ${line}`);
    headers.set(name.toLowerCase(), value);
  }
  const length = headers.get('content-length') ?? '0';
  if (!headers.has('host') || headers.has('transfer-encoding') || !/^(0|[1-9]\d*)$/.test(length)) {
    throw new Error(`no host, or a body without a length: ${lines.join(', ')}`);
  }
  return { method, target, length: end + 4, bodyLength: Number(length) };
}
