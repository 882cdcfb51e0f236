import { refOf } from '@policy-machinery/resource';
import type { PolicyNode } from '@policy-machinery/topology';

/** Returns the name of a policy in messages: `namespace/name`, or `name` if it is cluster-scoped. */
export function policyName({ resource, kind }: Pick<PolicyNode, 'resource' | 'kind'>): string {
  const { namespace, name } = refOf(resource, kind.scope);
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns the default namespace of references in the status of a policy; `''` for cluster-scoped policies. */
export function policyNamespace({ resource, kind }: Pick<PolicyNode, 'resource' | 'kind'>): string {
  return refOf(resource, kind.scope).namespace ?? '';
}
