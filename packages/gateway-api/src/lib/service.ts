import { objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';

/** A Service. Its sections are its ports, by name; a port without one goes by its number (T-12). */
export const Service = defineTargetKind({
  group: '',
  kind: 'Service',
  sections: {
    port: {
      list: (service) => objectsIn(specOf(service).ports).map((value) => namedBy(stringIn(value.name), value)),
      nameOf: (index, { port }) => (typeof port === 'number' ? String(port) : `port-${index + 1}`),
    },
  },
});

/** A section that may lack a name: an empty one counts as none. */
export function namedBy<Value>(name: string | undefined, value: Value): { name?: string; value: Value } {
  return name === undefined || name === '' ? { value } : { name, value };
}
