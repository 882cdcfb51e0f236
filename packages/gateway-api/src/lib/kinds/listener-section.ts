import { specOf } from '@policy-machinery/resource';
import type { SectionDefinition } from '@policy-machinery/topology';
import { sectionsOf } from '../fields/items.ts';
import { certificateReferences } from '../listeners/certificates.ts';

/** Listeners as sections, of Gateways and of ListenerSets; those without a name go by their place. */
export const listenerSection: SectionDefinition = {
  list: (owner) => sectionsOf(specOf(owner).listeners),
  nameOf: (index) => `listener-${index + 1}`,
  references: certificateReferences,
};
