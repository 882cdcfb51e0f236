import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApiServer } from './api-server.ts';
import { buildBinaries } from './binaries.ts';
import { accessTo, type ClusterAccess, kubectl } from './cluster.ts';
import { runProgram } from './processes.ts';

/** The version of Gateway API whose definitions the cluster has, from the Go module that carries them. */
const gatewayApi = 'sigs.k8s.io/gateway-api@v1.4.0';

/** The part of vitest's project that hands values to tests. */
interface Project {
  provide(key: 'cluster', value: ClusterAccess): void;
}

/** Provides the cluster for all tests: the one of `TEST_KUBECONFIG`, or else one of its own. */
export default async function setUp(project: Project): Promise<() => Promise<void>> {
  const { TEST_KUBECONFIG: kubeconfig } = process.env;
  if (kubeconfig !== undefined && kubeconfig !== '') {
    project.provide('cluster', { kubeconfig, kubectl: 'kubectl', isOwn: false });
    return async () => {};
  }
  await buildBinaries();
  const server = await startApiServer({ users: ['controller'] });
  const cluster = accessTo(server.kubeconfig);
  await installGatewayApi(cluster);
  project.provide('cluster', cluster);
  return () => server.close();
}

async function installGatewayApi(cluster: ClusterAccess): Promise<void> {
  const { Dir: module } = JSON.parse(await runProgram('go', ['mod', 'download', '-json', gatewayApi]));
  const folder = join(module, 'config/crd/standard');
  const files = readdirSync(folder).filter((name) => name.startsWith('gateway.networking.k8s.io_'));
  const definitions = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n---\n');
  await kubectl(cluster, ['apply', '--server-side', '-f', '-'], definitions);
}
