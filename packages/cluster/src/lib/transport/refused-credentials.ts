import { isUntrusted } from './http-transport.ts';
import { StatusError } from './status-error.ts';

/**
 * Returns whether a request has failed because of the credentials of this process: the API server refuses the credentials (401), or its certificate
 * is of another authority. Both are read again by then, so only another process may have others.
 */
export function isRefused(error: unknown): boolean {
  return isUntrusted(error) || (error instanceof StatusError && error.code === 401);
}
