import type { ClusterAccess } from './cluster.ts';
import { installDefinitions } from './definitions.ts';

/** Installs the standard CRDs of Gateway API. */
export function installGatewayApi(cluster: ClusterAccess): Promise<void> {
  return installDefinitions(cluster, {
    module: 'sigs.k8s.io/gateway-api@v1.4.0',
    folder: 'config/crd/standard',
    files: /^gateway\.networking\.k8s\.io_/,
  });
}
