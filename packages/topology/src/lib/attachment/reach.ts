import type { ResourceRef } from '@policy-machinery/resource';
import type { AttachableKind, AttachmentOutcome } from '../model/policy-node.ts';
import type { Lookup } from '../references/lookup.ts';
import { isPermitted } from '../references/resolve.ts';

/** The reason why a target is out of a policy's reach. */
export type OutOfReach = Extract<
  AttachmentOutcome,
  'CrossNamespaceRefused' | 'ClusterScopeRefused' | 'ReferenceNotPermitted'
>;

const acrossNamespaces: Readonly<
  Record<
    AttachableKind['crossNamespace'],
    (from: ResourceRef, to: ResourceRef, lookup: Lookup) => OutOfReach | undefined
  >
> = {
  refuse: () => 'CrossNamespaceRefused',
  granted: (from, to, lookup) => (isPermitted(from, to, lookup) ? undefined : 'ReferenceNotPermitted'),
  consumer: () => undefined,
  allow: () => undefined,
};

/**
 * Returns why a policy must not reach a target outside its namespace (T-09, T-10, P-13); `undefined` if it may. The answer does not depend on
 * whether the target exists (T-25).
 */
export function outOfReach(
  policy: ResourceRef,
  to: ResourceRef,
  { scope, crossNamespace, clusterScopedTargets }: AttachableKind,
  lookup: Lookup,
): OutOfReach | undefined {
  if (scope === 'Cluster' || crossNamespace === 'allow') return undefined;
  if (to.namespace === undefined) {
    const isNamespace = to.group === '' && to.kind === 'Namespace';
    const isAllowed = isNamespace ? to.name === policy.namespace : clusterScopedTargets === 'allow';
    return isAllowed ? undefined : 'ClusterScopeRefused';
  }
  return to.namespace === policy.namespace ? undefined : acrossNamespaces[crossNamespace](policy, to, lookup);
}
