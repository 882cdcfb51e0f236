import { defineTargetKind } from '@policy-machinery/topology';

export const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });

/** Nothing links to a Pod; its Namespace contains the Pod. */
export const Pod = defineTargetKind({ group: '', kind: 'Pod' });
