import type { Clock } from '@policy-machinery/cluster';
import type { Instruments } from './instruments.ts';

export interface MeasuredQueue {
  readonly name: string;
  readonly controller: string;
  /** Returns how many items of each priority wait, the most urgent first. Called whenever metrics are collected. */
  readonly depths: () => readonly number[];
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Records the events of a queue. Call the methods when the events happen. */
export interface QueueRecorder {
  /** Records that items were added. Default: one. */
  added(count?: number): void;
  /** Records that an item is done again because it failed. */
  retried(): void;
  /**
   * Records that an item is in progress.
   *
   * @param waited How long it has waited, in milliseconds.
   * @returns A function to call at its end.
   */
  started(waited: number): () => void;
  stop(): void;
}

/**
 * Measures a queue as client-go measures its work queues.
 *
 * @param instruments Where to record.
 * @returns The recorder of the events of the queue.
 */
export function measureQueue(
  instruments: Pick<
    Instruments,
    'queueDepth' | 'queueAdds' | 'queueWait' | 'queueWork' | 'queueUnfinished' | 'queueLongest' | 'queueRetries'
  >,
  { name, controller, depths, clock }: MeasuredQueue,
): QueueRecorder {
  const labels = { name, controller };
  const running = new Set<{ readonly since: number }>();
  const ages = () => Array.from(running, ({ since }) => (clock.monotonic() - since) / 1000);
  const stops = [
    instruments.queueDepth.observe(() =>
      depths().map((depth, priority) => [{ ...labels, priority: String(priority) }, depth] as const),
    ),
    instruments.queueUnfinished.observe(() => [[labels, ages().reduce((sum, age) => sum + age, 0)]]),
    instruments.queueLongest.observe(() => [[labels, Math.max(0, ...ages())]]),
  ];
  instruments.queueAdds.add(labels, 0);
  instruments.queueRetries.add(labels, 0);
  return {
    added: (count = 1) => instruments.queueAdds.add(labels, count),
    retried: () => instruments.queueRetries.add(labels),
    started(waited) {
      const item = { since: clock.monotonic() };
      running.add(item);
      instruments.queueWait.record(labels, waited / 1000);
      return () => {
        if (running.delete(item)) instruments.queueWork.record(labels, (clock.monotonic() - item.since) / 1000);
      };
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
