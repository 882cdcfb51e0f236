import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Clock } from '../time/clock.ts';
import { TransportError } from './transport.ts';

export interface Credentials {
  /** Headers of each request: `authorization`, impersonation. */
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates and the like. */
  readonly tls: Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase' | 'rejectUnauthorized' | 'servername'>;
  /** The agent to use in place of the transport's own, for connections through a proxy. */
  readonly agent?: Agent;
}

/** Reads credentials from files, from a kubeconfig, from a program. */
export type ReadCredentials = () => Promise<Credentials> | Credentials;

/** The age where credentials are read again, in milliseconds. Kubelets rotate tokens minutes before they expire. */
export const credentialsMaxAge = 60_000;

/** How long to wait for credentials, in milliseconds: while the last ones may still do, and while there is nothing else to try. */
const patience = { renewing: 1000, needed: 30_000 };

/**
 * Returns a reader that keeps credentials for a minute. If reading them again fails or takes long, the last ones stay in use: the file may be in
 * the middle of being replaced, the program may hang, and the API server has the last word anyway. They are read once at a time.
 *
 * @param read Reads the credentials.
 * @returns A function that returns the credentials; with `fresh`, the present ones. Rejects only as long as none could be read, after half a
 * minute at most.
 */
export function cachedCredentials(
  read: ReadCredentials,
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>,
): (fresh?: boolean) => Promise<Credentials> {
  let last: { readonly credentials: Credentials; readonly readAt: number } | undefined;
  let reading: Promise<Credentials> | undefined;
  const readOnce = (): Promise<Credentials> => {
    if (reading !== undefined) return reading;
    const begun = (async () => {
      const credentials = await read();
      last = { credentials, readAt: clock.monotonic() };
      return credentials;
    })();
    reading = begun;
    const end = () => {
      if (reading === begun) reading = undefined;
    };
    begun.then(end, end);
    return begun;
  };
  return async (fresh = false) => {
    const time = clock.monotonic();
    if (last !== undefined && !fresh && time - last.readAt < credentialsMaxAge) return last.credentials;
    const ms = last === undefined || fresh ? patience.needed : patience.renewing;
    try {
      return await within(readOnce(), ms, clock);
    } catch (error) {
      if (last === undefined) {
        reading = undefined; // If it hangs, the next request tries again.
        throw error;
      }
      last = { credentials: last.credentials, readAt: time };
      return last.credentials;
    }
  };
}

/** Returns the value of a promise. Rejects if that takes longer than some milliseconds. */
async function within<Value>(promise: Promise<Value>, ms: number, clock: Pick<Clock, 'setTimeout'>): Promise<Value> {
  let cancel = () => {};
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new TransportError('ETIMEDOUT', `the credentials cannot be read within ${ms / 1000} s`));
    cancel = clock.setTimeout(late, ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    cancel();
  }
}

/** Returns whether two credentials can use the same connections: whether only headers differ. */
export function sameTls(credentials: Credentials, other: Credentials): boolean {
  if ((credentials.agent === undefined) !== (other.agent === undefined)) return false;
  return tlsKeys.every((key) => String(credentials.tls[key] ?? '') === String(other.tls[key] ?? ''));
}

const tlsKeys = ['ca', 'cert', 'key', 'pfx', 'passphrase', 'rejectUnauthorized', 'servername'] as const;
