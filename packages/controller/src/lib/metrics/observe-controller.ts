import type { Clock, Lease, Sources } from '@policy-machinery/cluster';
import type { GroupKind } from '@policy-machinery/resource';
import { countKinds } from './count-kinds.ts';
import { observeEventLoopLag } from './event-loop-lag.ts';
import type { Instruments } from './instruments.ts';
import { observeLease } from './observe-lease.ts';
import { observeObjects } from './observe-objects.ts';
import { observeStates } from './observe-states.ts';

/** The parts of a controller with a state to show. */
export interface ObservedController {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly sources: Pick<Sources, 'states' | 'count'>;
  readonly kinds: readonly GroupKind[];
  readonly quarantined: () => Iterable<GroupKind>;
  readonly lease?: { readonly name: string; readonly lease: Pick<Lease, 'isHeld'> };
}

/**
 * Shows the state of a controller whenever metrics are collected: sources, objects, quarantine, the lease, and the event loop.
 *
 * @param instruments Where to show it.
 * @param controller The parts of the controller.
 * @returns A function that ends it.
 */
export function observeController(instruments: Instruments, controller: ObservedController): () => void {
  const { clock, sources, kinds, quarantined, lease } = controller;
  const stops = [
    observeStates(instruments, sources, clock),
    observeObjects(instruments, sources, kinds),
    instruments.quarantinedObjects.observe(() => countKinds(quarantined())),
    observeEventLoopLag(instruments, clock),
    ...(lease === undefined ? [] : [observeLease(instruments, lease.name, lease.lease)]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
