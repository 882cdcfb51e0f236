import { defineTargetKind } from '@policy-machinery/topology';

/** An InferencePool of the Gateway API Inference Extension, as a backend of routes: Pods that serve models. */
export const InferencePool = defineTargetKind({
  group: 'inference.networking.k8s.io',
  kind: 'InferencePool',
  plural: 'inferencepools',
  versions: ['v1'],
  mayReferTo: () => false,
});
