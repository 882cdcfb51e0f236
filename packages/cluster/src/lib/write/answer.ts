import { StatusError } from '../transport/status-error.ts';
import { connectionCode } from '../transport/transport.ts';
import type { WaitReason } from './wait-rules.ts';

/** The effect of a failed write on the next step. */
export type WriteFault =
  /** The object has changed after the plan. */
  | 'conflict'
  /** Invalid, or planned from an old version: only reading the object shows which. */
  | 'invalid'
  /** The object, its kind or the subresource is not there. Only reading the object shows which. */
  | 'gone'
  /** Not accepted in this form. */
  | 'refused'
  /** Forbidden, for this object or for all objects of the kind. */
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

/** The faults that a proxy or a load balancer may report as well as an API server. */
const sharedFaults: ReadonlySet<WriteFault> = new Set(['unreachable', 'throttled']);

/** The codes of connections that broke off after the request may have arrived. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ELINETOOLONG']);

/** Returns the effect of the failure of a write. An answer that no API server writes is not about the object. */
export function writeFaultOf(error: unknown): WriteFault {
  if (error instanceof StatusError) {
    const fault = error.code >= 500 ? 'unknown' : (faults[error.code] ?? 'refused');
    return error.isFromApiServer || sharedFaults.has(fault) ? fault : 'unknown';
  }
  const code = connectionCode(error);
  return code === undefined || brokenOff.has(code) ? 'unknown' : 'unreachable';
}

/** Returns whether the API server's authorizer has refused a write, and not an admission policy or a webhook. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof StatusError && error.code === 403 && /\bcannot \w+ resource\b/.test(error.message);
}

/** Returns why a write waits that has failed. */
export function waitReasonOf(fault: Exclude<WriteFault, 'gone'>, error: unknown): WaitReason {
  if (fault === 'forbidden') return isUnauthorized(error) ? 'unauthorized' : 'forbidden';
  return fault === 'unknown' ? 'failed' : fault === 'invalid' ? 'refused' : fault;
}
