import type { Answer } from '../api-server/server/answer.ts';
import { LineStream } from './line-stream.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Returns a transport to something that answers requests in the same process. */
export function memoryTransport(handle: (request: TransportRequest) => Promise<Answer>): Transport {
  return {
    async request(request) {
      const { signal } = request;
      signal?.throwIfAborted();
      return responseOf(await unlessAborted(handle(request), signal), signal);
    },
  };
}

function unlessAborted(answer: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function responseOf({ status, headers, body }: Answer, signal: AbortSignal | undefined): TransportResponse {
  if (body instanceof LineStream) endOnAbort(body, signal);
  const text = async (): Promise<string> => {
    if (typeof body === 'string') return body;
    const lines: string[] = [];
    for await (const line of body) lines.push(`${line}\n`);
    return lines.join('');
  };
  return {
    status,
    headers,
    text,
    json: async () => JSON.parse(await text()),
    lines: () => (typeof body === 'string' ? linesOf(body) : body),
  };
}

function endOnAbort(stream: LineStream, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const abort = (): void => stream.fail(errorOf(signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  stream.onClose(() => signal.removeEventListener('abort', abort));
}

const errorOf = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

async function* linesOf(text: string): AsyncGenerator<string, void> {
  for (const line of text.split('\n')) if (line !== '') yield line;
}
