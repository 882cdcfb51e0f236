import { systemClock } from '../time/clock.ts';
import { createAgents } from './agents.ts';
import { type Credentials, cachedCredentials, type ReadCredentials, sameTls } from './credentials.ts';
import { exchange, reasonOf } from './exchange.ts';
import { connectionCode, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/** Where the API server is and how to be let in. */
export interface HttpTransportOptions {
  /** `https://10.96.0.1:443`; a path is put before each request's path. `http` is meant for `kubectl proxy` and tests. */
  readonly server: string;
  /** Returns the credentials. Called once a minute and after 401, because tokens rotate. Default: none. */
  readonly credentials?: ReadCredentials | undefined;
  /** The `user-agent` of each request. Default: `policy-machinery`. */
  readonly userAgent?: string | undefined;
}

const anonymous: Credentials = { headers: {}, tls: {} };

/**
 * Creates a transport over HTTP/1.1, with `node:https` alone: a connection for each request in flight. At most 16 free ones are kept open.
 *
 * After a 401, and when the server's certificate is not trusted, the credentials are read again, and if they are others, the request is sent
 * once more. So is a request that meets the end of a kept connection, except for POST.
 *
 * @param options Where the API server is.
 * @returns The transport.
 */
export function httpTransport(options: HttpTransportOptions): Required<Transport> {
  const { credentials: read = () => anonymous, userAgent = 'policy-machinery' } = options;
  const server = new URL(options.server);
  const credentials = cachedCredentials(read, systemClock);
  const endpoint = { server, agents: createAgents(server.protocol), userAgent };

  /** Sends a request once more with the credentials of now, if they differ from the ones that failed; `undefined` if they do not. */
  const sendRenewed = async (
    request: TransportRequest,
    current: Credentials,
    isSame: (one: Credentials, other: Credentials) => boolean,
  ): Promise<TransportResponse | undefined> => {
    const renewed = await unlessAborted(credentials(true), request.signal);
    return isSame(renewed, current) ? undefined : exchange(endpoint, request, renewed);
  };

  return {
    async request(request) {
      const current = await unlessAborted(credentials(), request.signal);
      try {
        const response = await exchange(endpoint, request, current);
        if (response.status !== 401) return response;
        const again = await sendRenewed(request, current, sameHeaders);
        if (again !== undefined) await response.text();
        return again ?? response;
      } catch (error) {
        if (!isUntrusted(error)) throw error;
        const again = await sendRenewed(request, current, sameTls);
        if (again === undefined) throw error;
        return again;
      }
    },
    close: () => endpoint.agents.close(),
  };
}

function sameHeaders(credentials: Credentials, other: Credentials): boolean {
  return JSON.stringify(credentials.headers) === JSON.stringify(other.headers);
}

/** Node's codes for servers with a certificate that no known authority has signed: the server may have a new one. */
const untrusted: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Returns whether a request has failed because no known authority has signed the certificate of the server. */
export function isUntrusted(error: unknown): boolean {
  return untrusted.has(connectionCode(error) ?? '');
}

/** Returns the value of a promise. Rejects with the reason of a signal if the signal aborts before. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
