import type { ClusterAccess } from '../cluster.ts';
import { installDefinitions, type ModuleFolder } from '../definitions.ts';

/** Where systems publish the CRDs of their policies. */
const systems: readonly ModuleFolder[] = [
  {
    module: 'github.com/kuadrant/kuadrant-operator@v1.0.0',
    folder: 'config/crd/bases',
    files: /policies\.yaml$/,
  },
  {
    module: 'github.com/envoyproxy/gateway@v1.5.0',
    folder: 'charts/gateway-helm/crds/generated',
    files: /policies\.yaml$/,
  },
];

/** Installs the CRDs of the policies of Kuadrant and of Envoy Gateway. */
export async function installSystems(cluster: ClusterAccess): Promise<void> {
  for (const system of systems) await installDefinitions(cluster, system);
}
