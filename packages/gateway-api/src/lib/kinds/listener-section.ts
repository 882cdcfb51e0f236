import { specOf } from '@policy-machinery/resource';
import type { SectionDefinition } from '@policy-machinery/topology';
import { sectionsOf } from '../fields/items.ts';
import { certificateReferences } from '../listeners/certificates.ts';
import { routeRivalry } from '../listeners/route-rivals.ts';

/** The listeners of Gateways and ListenerSets as sections; those without a name are named by index. */
export const listenerSection: SectionDefinition = {
  list: (owner) => sectionsOf(specOf(owner).listeners),
  nameOf: (index) => `listener-${index + 1}`,
  references: certificateReferences,
  rivals: routeRivalry,
};
