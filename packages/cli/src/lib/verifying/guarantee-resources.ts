import { guaranteeKind } from '@policy-machinery/guarantees';
import type { RequiredKind } from '@policy-machinery/topology';

/** The kind of guarantees, as it is read in a cluster. */
export const guarantees: RequiredKind = { ...guaranteeKind, versions: [guaranteeKind.version] };
