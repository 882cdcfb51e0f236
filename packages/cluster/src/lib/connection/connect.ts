import { PolicyMachineryError } from '@policy-machinery/resource';
import { httpTransport } from '../transport/http-transport.ts';
import type { Connection } from './connection.ts';
import { connectInCluster, isInCluster } from './in-cluster.ts';
import { connectByKubeconfig, type KubeconfigOptions } from './kubeconfig.ts';

/** How to reach the cluster. */
export interface ConnectOptions extends KubeconfigOptions {
  /**
   * The address of an API server that does not need credentials, such as `http://127.0.0.1:8001` of `kubectl proxy`; or of one with requests that
   * bring their own, in the header `authorization`.
   */
  readonly server?: string | undefined;
  /** The certificates that sign the server's, in PEM; with `server`. Default: those that Node trusts. */
  readonly ca?: string | undefined;
  /** The name in the server's certificate; with `server`. Default: the name in the address. */
  readonly tlsServerName?: string | undefined;
}

/**
 * Connects to a cluster: to the given server, by the given kubeconfig or context, in a Pod by its service account, otherwise by the default
 * kubeconfig.
 *
 * @param options How to reach the cluster. Default: find out.
 * @returns The connection. Sends nothing yet.
 * @throws {PolicyMachineryError} `no-service-account`, `no-client-node`, `invalid-kubeconfig`, `invalid-server` or `too-many-open-files`,
 * with the remedy.
 * @example
 * ```ts
 * const connection = await connect({ userAgent: 'timeouts.example.com/controller' });
 * ```
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const { server, kubeconfig, context, userAgent } = options;
  if (server !== undefined) return connectToServer(server, options);
  const isNamed = kubeconfig !== undefined || context !== undefined;
  if (!isNamed && isInCluster()) return connectInCluster(userAgent === undefined ? {} : { userAgent });
  return connectByKubeconfig(options);
}

function connectToServer(server: string, { ca, tlsServerName, userAgent }: ConnectOptions): Connection {
  if (!URL.canParse(server)) {
    throw new PolicyMachineryError('invalid-server', `"${server}" is not a URL: write https://host:port`);
  }
  const transport = httpTransport({
    server,
    credentials: () => ({ headers: {}, tls: { ca, servername: tlsServerName } }),
    ...(userAgent === undefined ? {} : { userAgent }),
  });
  return { ...transport, server };
}
