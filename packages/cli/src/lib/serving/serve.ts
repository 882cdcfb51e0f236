import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { printable } from '@policy-machinery/resource';
import { explainGaps } from '../answers/explain-input.ts';
import { titleOf } from '../answers/report-content.ts';
import { followWorld } from '../input/follow-world.ts';
import type { Environment } from '../model/environment.ts';
import { errorMessage } from '../model/error-message.ts';
import type { Options } from '../model/flags.ts';
import { UsageError } from '../model/usage-error.ts';
import { guarantees } from '../verifying/guarantee-resources.ts';
import { Contents } from './contents.ts';
import { EventStreams } from './event-streams.ts';
import { startServer } from './page-server.ts';

/** The address of this machine that others cannot reach. */
const loopback = '127.0.0.1';

/**
 * Serves the report's page, which follows the files or the cluster, until a signal comes.
 *
 * @param _args Unused: the command does not take arguments.
 * @param options The input of the page, and the address.
 * @param environment Everything that the program reads and writes.
 * @returns Resolves when the signal aborts. Rejects with the error if the page cannot be served.
 */
export async function serve(_args: readonly string[], options: Options, environment: Environment): Promise<void> {
  const { stdout, stderr, signal, now } = environment;
  const { filename = [], address = loopback } = options;
  if (filename.includes('-')) throw new UsageError('standard input can be read only once; name files or folders');
  const port = portOf(options);
  const onFault = (error: unknown): void => void stderr.write(`${errorMessage(error)}\n`);
  const token = randomBytes(24).toString('base64url');
  const streams = new EventStreams();
  let server: Server | undefined;
  let contents: Contents | undefined;
  try {
    for await (const world of followWorld(options, environment, {
      onProgress: () => {},
      onFault,
      also: [guarantees],
    })) {
      if (signal.aborted) break;
      if (contents !== undefined) {
        contents.take(world);
        continue;
      }
      contents = new Contents(world, options, now, {
        isWatched: () => streams.size > 0,
        onData: (data) => streams.tell(data),
        onFault,
      });
      const guard = { token, hostname: address };
      server = await startServer({ guard, title: titleOf(world), contents, streams, onFault }, port, address);
      stderr.write(explainGaps(world, options.verbose, true));
      if (!isLoopback(address)) {
        stderr.write('Whoever can reach this machine and knows the address can read the page; it is not encrypted.\n');
      }
      stdout.write(`${addressOf(server, address)}${token}/\n`);
    }
  } finally {
    streams.close();
    contents?.close();
    server?.closeAllConnections();
    server?.close();
  }
}

function portOf({ port = '0' }: Options): number {
  const number = Number(port);
  if (/^\d+$/.test(port) && number < 65_536) return number;
  throw new UsageError(`--port ${printable(port)} is not a port: a number up to 65535, or 0 for a free one`);
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\./.test(address);
}

/** Returns the address that a server listens on, with one that leads to it in place of "any". */
function addressOf(server: Server, address: string): string {
  const listening = server.address();
  const port = typeof listening === 'object' && listening !== null ? listening.port : 0;
  const named = address === '0.0.0.0' || address === '::' ? loopback : address;
  return `http://${isIP(named) === 6 ? `[${named}]` : named}:${port}/`;
}
