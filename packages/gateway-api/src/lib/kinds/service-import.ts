import { specOf } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { sectionsOf } from '../fields/items.ts';

/** A ServiceImport of the Multi-Cluster Services API, as a backend of routes (GEP-1748). Its sections are its ports, as for a Service. */
export const ServiceImport = defineTargetKind({
  group: 'multicluster.x-k8s.io',
  kind: 'ServiceImport',
  plural: 'serviceimports',
  versions: ['v1alpha1'],
  mayReferTo: () => false,
  sections: {
    port: {
      list: (service) => sectionsOf(specOf(service).ports),
      nameOf: (index, { port }) => (typeof port === 'number' ? String(port) : `port-${index + 1}`),
    },
  },
});
