import { groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type Targetable } from '@policy-machinery/topology';

/** The targets outside of all namespaces that policies in a namespace may reach. */
export interface ClusterReach {
  /** Whether they may target cluster-scoped objects other than Namespaces, such as GatewayClasses. */
  readonly clusterScopedTargets: 'refuse' | 'allow';
  /** Whether they may target Namespaces. */
  readonly reachesNamespaces: boolean;
}

/** Returns the targets outside of all namespaces that policies may reach, by the kinds of their targets. */
export function clusterReachOf(targets: readonly Targetable[]): ClusterReach {
  const wholes = targets.map((target) => (isSectionKind(target) ? target.of : target));
  const clusterScoped = wholes.filter(({ scope }) => scope === 'Cluster').map(groupKindKey);
  return {
    clusterScopedTargets: clusterScoped.some((key) => key !== namespaceKey) ? 'allow' : 'refuse',
    reachesNamespaces: clusterScoped.includes(namespaceKey),
  };
}

const namespaceKey = groupKindKey({ group: '', kind: 'Namespace' });
