import { specOf } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { sectionsOf } from '../fields/items.ts';
import { faultsOfServices } from '../fields/shapes.ts';

/** A Service. Its sections are its ports, by name; a port without a name is identified by its number. */
export const Service = defineTargetKind({
  group: '',
  kind: 'Service',
  plural: 'services',
  versions: ['v1'],
  faults: faultsOfServices,
  sections: {
    port: {
      list: (service) => sectionsOf(specOf(service).ports),
      nameOf: (index, { port }) => (typeof port === 'number' ? String(port) : `port-${index + 1}`),
    },
  },
});
