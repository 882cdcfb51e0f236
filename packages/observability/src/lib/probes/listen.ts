import type { Server } from 'node:http';
import { messageOf } from '@policy-machinery/resource';

/** The advice for a server that cannot listen, by system code. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has the port; choose another port, or end that process',
  EACCES: 'this user may not have the port; choose one above 1023',
  EADDRNOTAVAIL: 'this machine does not have the address; leave host out to listen on all addresses',
  ENOTFOUND: 'the address of the host is not known; leave host out to listen on all addresses',
};

/**
 * Lets a server listen.
 *
 * @param address `port` 0 takes any that is free. Default of `host`: all addresses.
 * @returns The port. Rejects with advice if the server cannot listen there.
 */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host?: string | undefined },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', (error) => reject(listenError(error, `${host ?? '*'}:${port}`)));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function listenError(error: NodeJS.ErrnoException, address: string): Error {
  const reason = advice[error.code ?? ''] ?? messageOf(error);
  return Object.assign(new Error(`probes cannot listen on ${address}: ${reason}`, { cause: error }), {
    code: error.code,
  });
}
