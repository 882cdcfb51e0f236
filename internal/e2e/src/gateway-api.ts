import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterAccess, kubectl } from './cluster.ts';
import { runProgram } from './processes.ts';

/** The version of Gateway API whose definitions the cluster has, from the Go module that carries them. */
const gatewayApi = 'sigs.k8s.io/gateway-api@v1.4.0';

/** Installs the standard CRDs of Gateway API. */
export async function installGatewayApi(cluster: ClusterAccess): Promise<void> {
  const { Dir: module } = JSON.parse(await runProgram('go', ['mod', 'download', '-json', gatewayApi]));
  const folder = join(module, 'config/crd/standard');
  const files = readdirSync(folder).filter((name) => name.startsWith('gateway.networking.k8s.io_'));
  const definitions = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n---\n');
  await kubectl(cluster, ['apply', '--server-side', '-f', '-'], definitions);
}
