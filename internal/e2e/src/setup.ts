import { startApiServer } from './api-server.ts';
import { buildBinaries } from './binaries.ts';
import { accessTo, type ClusterAccess } from './cluster.ts';
import { installGatewayApi } from './gateway-api.ts';

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
