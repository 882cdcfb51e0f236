import { defineTargetKind } from '@policy-machinery/topology';

/** A Namespace, which contains objects rather than linking to them (H-03). */
export const Namespace = defineTargetKind({
  group: '',
  kind: 'Namespace',
  scope: 'Cluster',
  plural: 'namespaces',
  versions: ['v1'],
});
