import { StatusError } from '../transport/status-error.ts';
import { connectionCode } from '../transport/transport.ts';
import { MalformedEventError } from './watch-event.ts';

/** The effect of a failure on a source. */
export type SourceFault =
  /** The resource version is too old: changes have been missed. */
  | 'expired'
  /** The resource version is newer than anything the server has seen: it lags behind, or was set back. */
  | 'too-large'
  /** The API server has no such resource. */
  | 'not-found'
  | 'forbidden'
  | 'throttled'
  /** The API server does not support a parameter of the request. */
  | 'unsupported'
  /** Any other failure: no answer, a broken connection, an error of the server. */
  | 'failed';

const faults: Readonly<Record<number, SourceFault>> = {
  400: 'unsupported',
  403: 'forbidden',
  410: 'expired',
  422: 'unsupported',
  429: 'throttled',
};

/** Returns the effect of an error on a source. */
export function faultOf(error: unknown): SourceFault {
  if (!(error instanceof StatusError)) return 'failed';
  if (error.causes.some(({ reason }) => reason === tooLargeReason)) return 'too-large';
  // Not every 404 comes from an API server.
  if (error.code === 404) return error.isFromApiServer ? 'not-found' : 'failed';
  return faults[error.code] ?? 'failed';
}

/** Returns the error of an API server that has not got as far as another one. */
export function tooLarge(message: string): StatusError {
  return new StatusError(504, 'Timeout', message, [{ reason: tooLargeReason, message, field: '' }]);
}

const tooLargeReason = 'ResourceVersionTooLarge';

/** Returns whether an open watch failed because of its content: then it would send the same again. */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof MalformedEventError || error instanceof StatusError) return true;
  return connectionCode(error) === 'ELINETOOLONG';
}

/** Returns whether an API server has shown that it cannot send lists as watches: it refuses, or never reports that all objects are sent. */
export function isNoWatchList(error: unknown, wasOpen: boolean): boolean {
  if (error instanceof StatusError) return faultOf(error) === 'unsupported';
  return wasOpen && connectionCode(error) === 'ETIMEDOUT';
}

/** The remedy if objects are too long to be read. */
export const readLess =
  'read fewer objects, by labelSelector, fieldSelector or namespaces, or read less of each, by metadataOnly';

/** The objects that a source cannot read. */
export interface UnreadObjects {
  readonly group: string;
  /** The plural of the kind, if that is known. */
  readonly resource: string | undefined;
  /** The namespace; `undefined` for all. */
  readonly namespace: string | undefined;
}

/** Returns the remedy for a failure, as the end of a message. */
export function hintOf(error: unknown, { group, resource = '*', namespace }: UnreadObjects): string {
  if (connectionCode(error) === 'ELINETOOLONG') return `; ${readLess}`;
  if (faultOf(error) !== 'forbidden') return '';
  const rule = `apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["list", "watch"]`;
  const role = namespace === undefined ? 'a ClusterRole' : `a Role in ${namespace}`;
  return `; add this rule to ${role} of the service account: { ${rule} }`;
}
