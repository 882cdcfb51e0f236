import type { Lease } from '@policy-machinery/cluster';
import type { Instruments } from './instruments.ts';

/**
 * Shows whether this process holds a lease.
 *
 * @param instruments Where to show it.
 * @param name The name of the lease.
 * @param lease The lease. Its state is read whenever metrics are collected.
 * @returns A function that ends it.
 */
export function observeLease(
  { leader }: Pick<Instruments, 'leader'>,
  name: string,
  lease: Pick<Lease, 'isHeld'>,
): () => void {
  return leader.observe(() => [[{ name }, lease.isHeld() ? 1 : 0]]);
}
