import type { ResourceRef } from '@policy-machinery/resource';
import type { AttachableKind } from '../model/policy-node.ts';
import type { Lookup } from '../references/lookup.ts';
import { isPermitted } from '../references/resolve.ts';
import type { Failure } from './attachment-issue.ts';

/**
 * Returns why a policy must not reach a target outside its namespace; `undefined` if it may. The answer does not depend on
 * whether the target exists.
 */
export function outOfReach(
  policy: ResourceRef,
  to: ResourceRef,
  { scope, crossNamespace, clusterScopedTargets }: AttachableKind,
  lookup: Lookup,
): Failure | undefined {
  if (scope === 'Cluster' || crossNamespace === 'allow') return undefined;
  if (to.namespace === undefined) {
    const isNamespace = to.group === '' && to.kind === 'Namespace';
    const isAllowed = isNamespace ? to.name === policy.namespace : clusterScopedTargets === 'allow';
    return isAllowed ? undefined : 'ClusterScopeRefused';
  }
  if (to.namespace === policy.namespace || crossNamespace === 'consumer') return undefined;
  if (crossNamespace === 'refuse') return 'CrossNamespaceRefused';
  return isPermitted(policy, to, lookup) ? undefined : 'ReferenceNotPermitted';
}
