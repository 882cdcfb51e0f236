import { readFile } from 'node:fs/promises';
import { objectIn, objectsIn, stringIn } from '@policy-machinery/resource';
import type { ClusterConnection, Environment } from '../../model/environment.ts';
import { UsageError } from '../../model/usage-error.ts';

/** Where a Pod finds the certificates of its API server. */
const certificatesInPod = '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt';

interface Address {
  readonly server: string;
  readonly ca?: string;
  readonly tlsServerName?: string;
}

/**
 * Connects to the cluster without credentials: each request brings its own.
 *
 * @param kubectlArgs The arguments of kubectl that choose the cluster.
 * @param environment Runs kubectl.
 * @returns The connection. Rejects with a {@link UsageError} if the server could not be proved, or would be asked with the credentials of others.
 */
export async function connectWithoutCredentials(
  kubectlArgs: readonly string[],
  { kubectl, env }: Pick<Environment, 'kubectl' | 'env'>,
): Promise<ClusterConnection> {
  const address = await addressOf(kubectlArgs, { kubectl, env });
  if (!address.server.startsWith('https://')) {
    throw new UsageError(
      `--as-user needs an API server at https: ${address.server} may be a proxy, which answers with the rights of its own user`,
    );
  }
  const { connect } = await import('@policy-machinery/cluster');
  return connect(address);
}

async function addressOf(
  kubectlArgs: readonly string[],
  { kubectl, env }: Pick<Environment, 'kubectl' | 'env'>,
): Promise<Address> {
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '--output', 'json'];
  const host = env.KUBERNETES_SERVICE_HOST;
  const text = await kubectl([...kubectlArgs, ...view]).catch((error: unknown) => {
    if (host === undefined) throw error;
    return '{}';
  });
  const [named] = objectsIn(JSON.parse(text).clusters);
  if (named === undefined && host !== undefined) {
    const ca = await readFile(certificatesInPod, 'utf8');
    const name = host.includes(':') ? `[${host}]` : host;
    return { server: `https://${name}:${env.KUBERNETES_SERVICE_PORT ?? '443'}`, ca };
  }
  const cluster = objectIn(named?.cluster);
  if (cluster['proxy-url'] !== undefined) throw new UsageError('--as-user does not know the proxy of a kubeconfig');
  if (cluster['insecure-skip-tls-verify'] === true) {
    throw new UsageError(
      '--as-user sends the tokens of viewers to the API server, so the kubeconfig must have the certificates that prove it',
    );
  }
  const ca = stringIn(cluster['certificate-authority-data']);
  const tlsServerName = stringIn(cluster['tls-server-name']);
  return {
    server: stringIn(cluster.server) ?? '',
    ...(ca === undefined ? {} : { ca: Buffer.from(ca, 'base64').toString() }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
  };
}
