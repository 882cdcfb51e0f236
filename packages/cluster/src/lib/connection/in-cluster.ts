import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { httpTransport } from '../transport/http-transport.ts';
import { connectionCode } from '../transport/transport.ts';
import type { Connection } from './connection.ts';
import { namingOpenFiles, readIfExists } from './open-files.ts';

/** The folder where a Pod finds its service account. */
export interface InClusterOptions {
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The folder of the service account: `token`, `ca.crt`, `namespace`. Default: where kubelets mount it. */
  readonly folder?: string | undefined;
  /** Default: `policy-machinery`. */
  readonly userAgent?: string | undefined;
}

const mountedFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns whether the process runs in a pod and can find its cluster. */
export function isInCluster(env: InClusterOptions['env'] = process.env): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST) && Boolean(env.KUBERNETES_SERVICE_PORT);
}

/**
 * Connects a pod with its service account. The token and the certificates are read again when they are a minute old, because kubelets
 * rotate them.
 *
 * @param options Where to find them.
 * @returns The connection. Sends nothing yet.
 * @throws {PolicyMachineryError} `no-service-account`, if a file is missing; `too-many-open-files`.
 */
export async function connectInCluster(options: InClusterOptions = {}): Promise<Connection> {
  const { env = process.env, folder = mountedFolder } = options;
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${env.KUBERNETES_SERVICE_PORT}`;
  const credentials = () =>
    namingOpenFiles(async () => {
      const [token, ca] = await Promise.all([readText(folder, 'token'), readText(folder, 'ca.crt')]);
      return { headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca } };
    });
  await credentials();
  const namespace = (await namingOpenFiles(() => readIfExists(join(folder, 'namespace')))).trim();
  const { userAgent } = options;
  const transport = httpTransport({ server, credentials, ...(userAgent === undefined ? {} : { userAgent }) });
  return { ...transport, server, ...(namespace === '' ? {} : { namespace }) };
}

async function readText(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (error) {
    const fault = `cannot read ${join(folder, file)} (${messageOf(error)})`;
    const message =
      connectionCode(error) === 'ENOENT'
        ? `the service account token of the pod is missing: ${fault}; set automountServiceAccountToken: true in its spec`
        : `${fault}; let the user of the process read it`;
    throw new PolicyMachineryError('no-service-account', message, [], { cause: error });
  }
}
