import { groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type Targetable } from '@policy-machinery/topology';

/** What policies in a namespace may reach outside of all namespaces, because their targets may be of such kinds. */
export interface ClusterReach {
  /** Whether they may target cluster-scoped objects other than Namespaces, such as GatewayClasses. */
  readonly clusterScopedTargets: 'refuse' | 'allow';
  /** Whether they may target Namespaces. */
  readonly reachesNamespaces: boolean;
}

/** Returns what policies with targets of some kinds may reach outside of all namespaces. */
export function clusterReachOf(targets: readonly Targetable[]): ClusterReach {
  const wholes = targets.map((target) => (isSectionKind(target) ? target.of : target));
  const clusterScoped = wholes.filter(({ scope }) => scope === 'Cluster').map(groupKindKey);
  return {
    clusterScopedTargets: clusterScoped.some((key) => key !== namespaceKey) ? 'allow' : 'refuse',
    reachesNamespaces: clusterScoped.includes(namespaceKey),
  };
}

const namespaceKey = groupKindKey({ group: '', kind: 'Namespace' });
