import { refOf } from '@policy-machinery/resource';
import type { PolicyNode } from '@policy-machinery/topology';

/** How messages name a policy: `namespace/name`, or the name alone of a cluster-scoped one. */
export function policyName({ resource, kind }: Pick<PolicyNode, 'resource' | 'kind'>): string {
  const { namespace, name } = refOf(resource, kind.scope);
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The namespace that references in the status of a policy mean if they name none; cluster-scoped policies have none. */
export function policyNamespace({ resource, kind }: Pick<PolicyNode, 'resource' | 'kind'>): string {
  return refOf(resource, kind.scope).namespace ?? '';
}
