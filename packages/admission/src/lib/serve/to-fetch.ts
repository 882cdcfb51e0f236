import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Answers requests of the Fetch API, and learns whether the sender has proved by a certificate to be the API server. */
export type FetchHandler = (request: Request, sender: { readonly isApiServer: boolean }) => Promise<Response>;

/** Answers a request of Node with a handler of the Fetch API. Rejects if the connection breaks. */
export async function answerWith(
  handler: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isApiServer: boolean,
): Promise<void> {
  const response = await handler(requestOf(incoming), { isApiServer });
  const body = await response.text();
  // The rest of a body that is too large would be read as the next request.
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': Buffer.byteLength(body),
  });
  outgoing.end(body);
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !name.startsWith(':') ? [[name, value]] : [],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'https://webhook.invalid'), {
    method,
    headers: pairs,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {}),
  });
}
