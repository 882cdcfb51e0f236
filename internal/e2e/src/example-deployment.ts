import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterAccess, kubectl } from './cluster.ts';
import { freePort } from './free-port.ts';
import { endProgram, startProgram } from './processes.ts';

/** The folder of the example that is deployed. */
export const example = join(import.meta.dirname, '../../../examples/controller');

const namespace = 'policies-system';
const account = 'policies-controller';
const server = 'cluster';

/** The user that a pod of the example is, for the API server. */
export const exampleUser = `system:serviceaccount:${namespace}:${account}`;

/** Installs all of the example's `deploy` folder. */
export async function deployExample(cluster: ClusterAccess): Promise<void> {
  await kubectl(cluster, ['apply', '--server-side', '-k', join(example, 'deploy')]);
}

/** Writes what a kubelet mounts into the example's pods, and returns the environment of these. */
export async function writeServiceAccount(
  cluster: ClusterAccess,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const config = JSON.parse(await kubectl(cluster, ['config', 'view', '--raw', '--minify', '-o', 'json']));
  const { server: url, 'certificate-authority-data': ca } = config.clusters[0].cluster;
  const token = (await kubectl(cluster, ['create', 'token', account, '-n', namespace])).trim();
  writeFileSync(join(folder, 'token'), token, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), Buffer.from(ca, 'base64'));
  const { hostname, port } = new URL(url);
  return { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
}

/** Writes a kubeconfig with the rights of the example's pods, and no others. */
export async function writeExampleKubeconfig(cluster: ClusterAccess, path: string): Promise<void> {
  const config = JSON.parse(await kubectl(cluster, ['config', 'view', '--raw', '--minify', '-o', 'json']));
  const token = (await kubectl(cluster, ['create', 'token', account, '-n', namespace])).trim();
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: server, cluster: config.clusters[0].cluster }],
    users: [{ name: account, user: { token } }],
    contexts: [{ name: account, context: { cluster: server, user: account } }],
    'current-context': account,
  };
  writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600 });
}

/** A replica of the example's controller. */
export interface Replica {
  /** Its name, also in the lease. */
  readonly name: string;
  /** Its process. */
  readonly pid: number;
  /** Returns the answer of a probe: `readyz`. */
  probe(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Ends it, and returns its exit code; `null` if a signal has ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a replica of the example's controller as its image does: from the bundle, with further variables of its environment. */
export function startReplica(
  name: string,
  kubeconfig: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Replica> {
  return startPod(name, join(example, 'dist/controller.mjs'), { ...more, KUBECONFIG: kubeconfig });
}

/** Returns the flags with which the image of the example runs Node. */
function flagsOfImage(): readonly string[] {
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(readFileSync(join(example, 'Dockerfile'), 'utf8')) ?? [];
  const words: readonly string[] = JSON.parse(command);
  return words.filter((word) => word.startsWith('--'));
}

/** Starts a program that takes the port of its probes from `PROBES_PORT` and its name from `POD_NAME`. */
export async function startPod(
  name: string,
  program: string,
  more: Readonly<Record<string, string>>,
): Promise<Replica> {
  const port = await freePort();
  const env = { ...process.env, ...more, POD_NAME: name, PROBES_PORT: String(port) };
  const { child } = await startProgram('sh', ['-c', `exec node ${flagsOfImage().join(' ')} ${program} 2>&1`], env);
  child.stdout?.resume();
  if (child.pid === undefined) throw new Error(`${name} could not be started`);
  return {
    name,
    pid: child.pid,
    async probe(path) {
      const response = await fetch(`http://127.0.0.1:${port}/${path}`);
      return { status: response.status, text: await response.text() };
    },
    async end(signal = 'SIGTERM') {
      await endProgram(child, signal);
      return child.exitCode;
    },
  };
}
