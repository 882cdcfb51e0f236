// serve/: the webhook on a port. Takes a handler of the Fetch API and a folder with a certificate, and serves the one with the other over HTTPS,
// with limits on time, and with each new certificate as soon as there is one.

import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Logger, Meter } from '@policy-machinery/observability';
import { messageOf } from '@policy-machinery/resource';
import { CertificateWatcher, type KeyPair, readKeyPair } from './certificates.ts';
import { certificateInstruments } from './instruments.ts';
import { answerWith, type FetchHandler } from './to-fetch.ts';

/** Where and how a webhook is served. */
export interface ServeAdmissionOptions {
  /** Answers requests: the `fetch` of an admission webhook that `createAdmission` returns. */
  readonly fetch: FetchHandler;
  /** The port. Default 9443, as for controller-runtime; 0 for any that is free. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: all addresses of the machine. */
  readonly host?: string | undefined;
  /**
   * The folder with `tls.crt` and `tls.key`. Default `/tmp/k8s-webhook-server/serving-certs`, where manifests of kubebuilder mount the Secret. It is
   * read again when it changes, and every ten seconds.
   */
  readonly certDir?: string | undefined;
  /** The longest time for a connection to be secured, and for a request to arrive, in milliseconds. Default 10,000, the default timeout of webhooks. */
  readonly requestTimeout?: number | undefined;
  /** The most connections at a time; further ones are closed at once. Default 100. */
  readonly maxConnections?: number | undefined;
  /**
   * Who may connect: only clients with a certificate. An API server has one if its `AdmissionConfiguration` names a kubeconfig for webhooks.
   * Default: everyone, and no caller counts as the API server.
   */
  readonly clients?:
    | {
        /** The file in `certDir` with the authorities of the clients' certificates: `client-ca.crt`. */
        readonly ca: string;
        /** The common names of the API server's certificates: `['kube-apiserver']`. Default: all that the authorities have signed. */
        readonly commonNames?: readonly string[];
      }
    | undefined;
  /** Receives events about the certificate. Default: nothing is logged. */
  readonly log?: Pick<Logger, 'info' | 'error'> | undefined;
  /** Takes metrics: the controller's meter. Default: none. */
  readonly metrics?: Meter | undefined;
}

/** A webhook that is served. */
export interface AdmissionServer extends AsyncDisposable {
  readonly port: number;
  /** Reads the certificate again now. */
  reloadCertificate(): Promise<void>;
  /** Stops taking requests, and resolves when those under way are answered, or after a second. */
  close(): Promise<void>;
}

const tls = { minVersion: 'TLSv1.2' } as const;
const pollInterval = 10_000;
const grace = 1000;

/**
 * Serves an admission webhook over HTTPS.
 *
 * @param options The handler, the address and the certificate.
 * @returns A promise of the server. It rejects with advice without a usable certificate, or if the server cannot listen.
 * @example
 * ```ts
 * const server = await serveAdmission({ fetch: admission.fetch });
 * ```
 */
export async function serveAdmission(options: ServeAdmissionOptions): Promise<AdmissionServer> {
  const { certDir = '/tmp/k8s-webhook-server/serving-certs', requestTimeout = 10_000, log, metrics } = options;
  const reads = metrics?.counter(certificateInstruments.reads);
  const readErrors = metrics?.counter(certificateInstruments.readErrors);
  const { clients, maxConnections = 100 } = options;
  const first = await readKeyPair(certDir, clients?.ca);
  reads?.add({});
  const server = createServer(
    { ...first, ...tls, ...timeLimits(requestTimeout), requestCert: clients !== undefined, rejectUnauthorized: true },
    (request, response) => {
      answerWith(options.fetch, request, response, clients !== undefined).catch(() => response.destroy());
    },
  );
  server.maxConnections = maxConnections;
  server.on('secureConnection', (socket) => {
    if (clients !== undefined && !isKnown(socket, clients.commonNames)) socket.destroy();
  });
  server.on('tlsClientError', () => {}); // Scanners, and clients that do not trust the certificate: theirs to report.
  const port = await listen(server, options);
  const onChange = (pair: KeyPair) => {
    server.setSecureContext({ ...pair, ...tls });
    reads?.add({});
    log?.info('serving with a new certificate', { certDir });
  };
  const onError = (error: unknown) => {
    readErrors?.add({});
    log?.error('the certificate was not renewed; the previous one is served', { error: messageOf(error) });
  };
  const certificates = new CertificateWatcher(
    { certDir, caName: clients?.ca },
    first,
    { onChange, onError },
    pollInterval,
  );
  let closed: Promise<void> | undefined;
  const close = () => {
    certificates.close();
    closed ??= closeServer(server);
    return closed;
  };
  return { port, reloadCertificate: () => certificates.check(), close, [Symbol.asyncDispose]: close };
}

/** Returns the limits of Node on the time that a client may take. It would look for those who take longer only twice a minute. */
function timeLimits(ms: number) {
  const connectionsCheckingInterval = Math.min(ms, 1000);
  return { requestTimeout: ms, headersTimeout: ms, handshakeTimeout: ms, connectionsCheckingInterval };
}

/** Returns whether the certificate of a client is one that may connect. */
function isKnown(socket: TLSSocket, commonNames: readonly string[] | undefined): boolean {
  if (!socket.authorized) return false;
  const names = [socket.getPeerCertificate().subject?.CN ?? []].flat();
  return commonNames === undefined || names.some((name) => commonNames.includes(name));
}

async function listen(server: Server, { port = 9443, host }: ServeAdmissionOptions): Promise<number> {
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  try {
    await once(server, 'listening');
  } catch (error) {
    const advice = 'choose another port, and the same one in the Service of the webhook';
    throw new Error(`the webhook cannot listen on ${host ?? '*'}:${port}: ${messageOf(error)}; ${advice}`, {
      cause: error,
    });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearTimeout(timer);
}
