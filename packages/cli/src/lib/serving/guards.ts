import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Who may ask, and how. */
export interface Guard {
  /** The first part of all paths. */
  readonly token: string;
  /** The host name that the server listens on, if that is not an address. */
  readonly hostname: string;
}

export interface RefusedRequest {
  readonly status: 403 | 404 | 405;
  readonly message: string;
}

/**
 * Returns why a request is refused; `undefined` if it may be answered.
 *
 * - Requests only read.
 * - A page of another site can make a browser ask under its own name, which leads here (DNS rebinding): so names other than the server's are refused.
 * - Nobody can guess the token, and other sites cannot see it in the address.
 *
 * @param guard The token and the name.
 */
export function refusalOf({ method, headers, url = '/' }: IncomingMessage, guard: Guard): RefusedRequest | undefined {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, message: 'This server is read only.' };
  if (!isOwnHost(headers.host, guard.hostname)) {
    return { status: 403, message: 'This page is not served under this name; use the address that gwpolicy printed.' };
  }
  const site = headers['sec-fetch-site'];
  if (headers['sec-fetch-dest'] !== 'document' && site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, message: 'Other sites may not read this.' };
  }
  const [, token = ''] = url.split(/[/?]/, 2);
  if (!isSame(token, guard.token))
    return { status: 404, message: 'There is nothing here; use the address that gwpolicy printed.' };
  return undefined;
}

/** Returns whether the host of a request is an address, `localhost` or the name of the server: names of others are not. */
function isOwnHost(host: string | undefined, own: string): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname, username, pathname } = new URL(`http://${host}`);
  if (username !== '' || pathname !== '/') return false;
  const name = hostname.replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 || name === 'localhost' || name === own.toLowerCase();
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
