import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';

/** The credentials of a connection. */
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

/** The age at which credentials are read again, in milliseconds. Kubelets rotate tokens minutes before they expire. */
export const credentialsMaxAge = 60_000;

/**
 * Returns a reader that keeps credentials for a minute. If reading them again fails, the last ones stay in use: the file may be in
 * the middle of being replaced, and the API server has the last word anyway.
 *
 * @param read Reads the credentials.
 * @param monotonic The time in milliseconds.
 * @returns A function that returns the credentials; with `fresh`, those of now. Rejects only as long as none could be read.
 */
export function cachedCredentials(
  read: ReadCredentials,
  monotonic: () => number,
): (fresh?: boolean) => Promise<Credentials> {
  let last: { readonly credentials: Credentials; readonly readAt: number } | undefined;
  return async (fresh = false) => {
    const now = monotonic();
    if (last !== undefined && !fresh && now - last.readAt < credentialsMaxAge) return last.credentials;
    try {
      last = { credentials: await read(), readAt: now };
    } catch (error) {
      if (last === undefined) throw error;
      last = { credentials: last.credentials, readAt: now };
    }
    return last.credentials;
  };
}

/** Returns whether two credentials can use the same connections: whether only headers differ. */
export function sameTls(one: Credentials, other: Credentials): boolean {
  if ((one.agent === undefined) !== (other.agent === undefined)) return false;
  return tlsKeys.every((key) => String(one.tls[key] ?? '') === String(other.tls[key] ?? ''));
}

const tlsKeys = ['ca', 'cert', 'key', 'pfx', 'passphrase', 'rejectUnauthorized', 'servername'] as const;
