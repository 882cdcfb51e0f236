import type { GroupKind } from '@policy-machinery/resource';

/**
 * Returns whether a topology is given all resources of a kind in a namespace: one that it does not hold then does not exist.
 *
 * @param kind The kind, whether the topology has it or not.
 * @param namespace The namespace; `undefined` for all namespaces, and for cluster-scoped kinds.
 * @param name The name, if only one resource is asked for: whether the topology is given it, if it exists.
 */
export type IsComplete = (kind: GroupKind, namespace: string | undefined, name?: string) => boolean;

export const everything: IsComplete = () => true;
