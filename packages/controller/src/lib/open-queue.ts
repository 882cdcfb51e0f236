import type { ObjectWrite, WriteQueue } from '@policy-machinery/cluster';

/** Opens the queue of a planner's writes. The function has the object of a write planned again in the next round. */
export type OpenQueue<W extends ObjectWrite> = (planAgain: (write: W) => void) => WriteQueue<W>;
