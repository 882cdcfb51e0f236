import type { KubernetesObject } from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind, type TargetKindDefinition } from '@policy-machinery/topology';

const definition = {
  group: '',
  kind: 'Namespace',
  scope: 'Cluster',
  plural: 'namespaces',
  versions: ['v1'],
} as const satisfies TargetKindDefinition;

/** A Namespace, which contains objects rather than linking to them. */
export const Namespace = defineTargetKind(definition);

/**
 * Returns the kind of Namespaces that counts a Namespace as present if any object is in it, even if nothing
 * else is known.
 *
 * @param leading The differences from {@link Namespace}.
 */
export function provedNamespace(leading: Partial<TargetKindDefinition> = {}): TargetKind {
  const proved = new Map<string, KubernetesObject>(); // One object for each, so that none changes with its proof.
  const namespaceNamed = (name: string): KubernetesObject => {
    const labels = { 'kubernetes.io/metadata.name': name };
    const there = proved.get(name) ?? { apiVersion: 'v1', kind: definition.kind, metadata: { name, labels } };
    proved.set(name, there);
    return there;
  };
  return defineTargetKind({
    ...definition,
    ...leading,
    standIns: true,
    *derive({ metadata: { namespace } }) {
      if (namespace !== undefined) yield namespaceNamed(namespace);
    },
  });
}
