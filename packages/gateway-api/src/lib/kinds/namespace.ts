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
 * Returns the kind of Namespaces whose presence any object in them proves, even if nothing else is known of them.
 *
 * @param leading What differs from {@link Namespace}.
 */
export function provedNamespace(leading: Partial<TargetKindDefinition> = {}): TargetKind {
  const proved = new Map<string, KubernetesObject>(); // One object for each, so that none changes with what proves it.
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
