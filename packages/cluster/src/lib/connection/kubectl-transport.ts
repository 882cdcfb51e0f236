import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { openFilesRemedy } from '../transport/remedy.ts';
import { StreamResponse } from '../transport/stream-response.ts';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.ts';
import { kubectlFailure } from './kubectl-failure.ts';

/** Which kubectl to run, and how. */
export interface KubectlOptions {
  /** The program. Default: `kubectl`, from the PATH. */
  readonly command?: string | undefined;
  /** Arguments of every call: `['--context', 'staging', '--as', 'jane']`. Default: none. */
  readonly args?: readonly string[] | undefined;
}

/** How much of standard error is kept, in characters and a chunk. */
const maxComplaint = 64 * 1024;

type Kubectl = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Creates a transport that reads by `kubectl get --raw`, with a process for each request. Every way to log in that kubectl supports works
 * here, too. kubectl sends no headers of others, and this transport writes nothing.
 *
 * @param options Which kubectl.
 * @returns The transport. Its requests reject with a {@link TransportError}: `ENOENT` without kubectl, `EREADONLY` for methods other than
 * GET, `ECONNREFUSED` or `EKUBECTL` if kubectl does not answer.
 */
export function kubectlTransport(options: KubectlOptions = {}): Transport {
  const { command = 'kubectl', args = [] } = options;
  const running = new Set<Kubectl>();
  return {
    request(request) {
      const { method, path, query = {}, signal } = request;
      if (method !== 'GET') {
        const message = `${method} ${path}: kubectlTransport only reads; use connect() to write`;
        return Promise.reject(new TransportError('EREADONLY', message));
      }
      if (signal?.aborted) return Promise.reject(signal.reason);
      const search = new URLSearchParams(query).toString();
      const target = search === '' ? path : `${path}?${search}`;
      const child = spawn(command, [...args, 'get', '--raw', target], { stdio: ['ignore', 'pipe', 'pipe'] });
      if (child.pid !== undefined) running.add(child);
      child.once('close', () => running.delete(child));
      return answerOf(child, request);
    },
    close() {
      for (const child of running) child.kill();
    },
  };
}

/** Waits for the first bytes, or for the end: until then, a failure may still take the place of the answer. */
function answerOf(child: Kubectl, { path, signal }: TransportRequest): Promise<TransportResponse> {
  const what = `kubectl get --raw ${path}`;
  const response = (status: number, chunks: AsyncIterable<Buffer>) => new StreamResponse(status, {}, chunks, what);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal?.aborted ? signal.reason : error);
    child.once('error', (error) => fail(startError(child, error)));
    if (child.pid === undefined) return; // It lacks streams if too many files are open.
    const abort = () => child.kill();
    signal?.addEventListener('abort', abort, { once: true });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (complaint.length < maxComplaint) complaint += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdout.once('readable', () => {
      if (child.stdout.readableLength > 0) resolve(response(200, readOutput(child, ended, path, signal)));
    });
    void ended.then((code) => {
      signal?.removeEventListener('abort', abort);
      if (code === 0) return resolve(response(200, nothing()));
      const failure = kubectlFailure(complaint, what);
      if (failure instanceof TransportError) return fail(failure);
      resolve(response(failure.code, only(Buffer.from(JSON.stringify(failure)))));
    });
  });
}

function startError({ spawnfile }: Kubectl, { code = 'EKUBECTL', message }: NodeJS.ErrnoException): TransportError {
  const remedy = openFilesRemedy(code);
  return new TransportError(code, `cannot run ${spawnfile}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`);
}

async function* readOutput(
  child: Kubectl,
  ended: Promise<number | null>,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  yield* child.stdout;
  const code = await ended;
  if (signal?.aborted) throw signal.reason;
  if (code !== 0)
    throw new TransportError('EKUBECTL', `kubectl get --raw ${path} ended in the middle (exit code ${code})`);
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
