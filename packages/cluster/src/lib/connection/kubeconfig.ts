import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import type { Credentials } from '../transport/credentials.ts';
import { httpTransport } from '../transport/http-transport.ts';
import type { Connection } from './connection.ts';
import { namingOpenFiles } from './open-files.ts';
import { tokenFileOf } from './token-file.ts';

/** Which kubeconfig and which of its contexts to use. */
export interface KubeconfigOptions {
  /** The path of the file. Default: `KUBECONFIG`, or without that `~/.kube/config`, as for kubectl. */
  readonly kubeconfig?: string | undefined;
  /** Default: its current context. */
  readonly context?: string | undefined;
  /** Default: `policy-machinery`. */
  readonly userAgent?: string | undefined;
}

/** The part of `KubeConfig` of `@kubernetes/client-node` that is used here; the same in versions 1.4 and 2. */
interface KubeConfig {
  loadFromFile(file: string): void;
  loadFromDefault(): void;
  setCurrentContext(context: string): void;
  getContexts(): readonly { readonly name: string }[];
  getCurrentContext(): string;
  getContextObject(name: string): { readonly namespace?: string } | null;
  getCurrentUser(): { readonly name: string; readonly token?: string } | null;
  getCurrentCluster(): { readonly server: string; readonly proxyUrl?: string } | null;
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

/**
 * Connects with a kubeconfig: certificates, tokens, exec plugins, OIDC and proxies by `@kubernetes/client-node`, and `tokenFile`.
 *
 * @param options Which kubeconfig.
 * @returns The connection. Sends nothing yet.
 * @throws {PolicyMachineryError} `no-client-node`, if that package is not installed or does not run on this Node; `invalid-kubeconfig`,
 * if the kubeconfig cannot be read, or lacks such a context, or a cluster; `too-many-open-files`.
 */
export function connectByKubeconfig(options: KubeconfigOptions = {}): Promise<Connection> {
  return namingOpenFiles(() => connectByConfig(options));
}

async function connectByConfig(options: KubeconfigOptions): Promise<Connection> {
  const config = await loadConfig(options);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw invalid(`context "${config.getCurrentContext()}" does not have a cluster`, options);
  const { userAgent } = options;
  const user = config.getCurrentUser();
  const tokenFile = user === null || user.token ? undefined : await tokenFileOf(user.name, options.kubeconfig);
  const transport = httpTransport({
    server: cluster.server,
    credentials: () =>
      namingOpenFiles(() => readCredentials(config, { byProxy: cluster.proxyUrl !== undefined, tokenFile })),
    ...(userAgent === undefined ? {} : { userAgent }),
  });
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace;
  return { ...transport, server: cluster.server, ...(namespace === undefined ? {} : { namespace }) };
}

async function loadConfig(options: KubeconfigOptions): Promise<KubeConfig> {
  const config: KubeConfig = new (await loadClient())();
  const { kubeconfig, context } = options;
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    throw invalid(messageOf(error), options, error);
  }
  if (context !== undefined) {
    const names = config.getContexts().map(({ name }) => name);
    if (!names.includes(context))
      throw invalid(`it does not have the context "${context}", but ${names.join(', ')}`, options);
    config.setCurrentContext(context);
  }
  return config;
}

/** Not a literal, so that neither bundlers nor types need a package that most programs go without. */
const clientNode: string = '@kubernetes/client-node';

async function loadClient(): Promise<new () => KubeConfig> {
  try {
    const client: { readonly KubeConfig: new () => KubeConfig } = await import(clientNode);
    return client.KubeConfig;
  } catch (error) {
    throw new PolicyMachineryError(
      'no-client-node',
      `a kubeconfig needs the package @kubernetes/client-node, which cannot be loaded (${messageOf(error)}); install it: ` +
        'npm install @kubernetes/client-node@^1.4 (version 2 needs Node 22)',
      [],
      { cause: error },
    );
  }
}

async function readCredentials(
  config: KubeConfig,
  { byProxy, tokenFile }: { readonly byProxy: boolean; readonly tokenFile: string | undefined },
): Promise<Credentials> {
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = String(value);
  if (typeof options.auth === 'string') {
    headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  }
  if (tokenFile !== undefined) headers.authorization = `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`;
  const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername, agent } = options;
  const tls = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername };
  return byProxy && typeof agent === 'object' ? { headers, tls, agent } : { headers, tls };
}

function invalid(
  fault: string,
  { kubeconfig = 'the default kubeconfig' }: KubeconfigOptions,
  cause?: unknown,
): PolicyMachineryError {
  return new PolicyMachineryError('invalid-kubeconfig', `cannot connect by ${kubeconfig}: ${fault}`, [], { cause });
}
