import { defineTargetKind } from '@policy-machinery/topology';
import { experimentalGroup } from '../fields/group.ts';

/** A backend of routes: a host outside the cluster, or Pods by their labels (GEP-4894, experimental). */
export const XBackend = defineTargetKind({
  group: experimentalGroup,
  kind: 'XBackend',
  plural: 'xbackends',
  versions: ['v1alpha1'],
  mayReferTo: () => false,
});
