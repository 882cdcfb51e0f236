import { StatusError } from '../transport/status-error.ts';
import { connectionCode } from '../transport/transport.ts';

/** What a failed write means for the next step. */
export type WriteFault =
  /** The object has changed since the plan. */
  | 'conflict'
  /** Invalid, or planned from an old version: only reading the object shows which. */
  | 'invalid'
  /** The object, or its kind, is gone. */
  | 'gone'
  /** Never accepted in this form. */
  | 'refused'
  /** Forbidden, for all objects of the kind. */
  | 'forbidden'
  /** Too many requests, for all kinds. */
  | 'throttled'
  /** The server cannot be reached, or refuses the credentials. */
  | 'unreachable'
  /** The object may have been written or not. */
  | 'unknown';

const faults: Readonly<Record<number, WriteFault>> = {
  401: 'unreachable',
  403: 'forbidden',
  404: 'gone',
  408: 'unknown',
  409: 'conflict',
  422: 'invalid',
  429: 'throttled',
};

/** The codes of connections that broke off after the request may have arrived. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ELINETOOLONG']);

/** Returns what the failure of a write means. */
export function writeFaultOf(error: unknown): WriteFault {
  if (error instanceof StatusError) {
    const { code, isFromApiServer } = error;
    // An answer of a proxy that does not know the path is not about the object.
    const isUnknown = code >= 500 || (code === 404 && !isFromApiServer);
    return isUnknown ? 'unknown' : (faults[code] ?? 'refused');
  }
  const code = connectionCode(error);
  return code === undefined || brokenOff.has(code) ? 'unknown' : 'unreachable';
}
