import { guaranteeKind } from '@policy-machinery/guarantees';
import type { RequiredKind } from '@policy-machinery/topology';

/** The kind of guarantees in a cluster. */
export const guarantees: RequiredKind = { ...guaranteeKind, versions: [guaranteeKind.version] };
