import type { Clock, SourcePhase, SourceState, Sources } from '@policy-machinery/cluster';
import type { Reading } from '@policy-machinery/observability';
import type { Instruments } from './instruments.ts';

const phases: readonly SourcePhase[] = ['listing', 'synced', 'stale', 'absent', 'forbidden'];

/**
 * Shows the states of sources: which phase each kind is in, and for how long it has been stale.
 *
 * @param instruments Where to show them.
 * @param sources The sources; `states` is read whenever metrics are collected.
 * @param clock The clock of the sources.
 * @returns A function that ends it.
 */
export function observeStates(
  instruments: Pick<Instruments, 'sourceState' | 'sourceStale'>,
  sources: Pick<Sources, 'states'>,
  clock: Pick<Clock, 'now'>,
): () => void {
  const stops = [
    instruments.sourceState.observe(() =>
      [...sources.states].flatMap(([kind, { phase }]) => phaseReadings(kind, phase)),
    ),
    instruments.sourceStale.observe(() =>
      [...sources.states].map(([kind, state]) => [{ kind }, staleSeconds(state, clock.now())] as const),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function phaseReadings(kind: string, phase: SourcePhase): Reading<{ readonly kind: string; readonly state: string }>[] {
  return phases.map((state) => [{ kind, state }, state === phase ? 1 : 0]);
}

/** Returns for how long a kind has been stale, in seconds; never less than 0, because the time of day may jump back. */
function staleSeconds({ phase, since }: SourceState, time: number): number {
  return phase === 'stale' ? Math.max(0, time - since) / 1000 : 0;
}
