import type { Clock } from '@policy-machinery/cluster';
import type { Instruments } from './instruments.ts';

/** Measures work that reconciles the cluster. */
export interface ReconcileMeter {
  /** Runs a task, and resolves or rejects as the task does. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

/**
 * Measures reconciliations as controller-runtime does: how many are in progress, how they end, and how long they take.
 *
 * @param instruments Where to record.
 * @param controller The name of the controller.
 * @returns A runner of tasks.
 */
export function measureReconciles(
  instruments: Pick<Instruments, 'reconciles' | 'reconcileErrors' | 'reconcileDuration' | 'activeReconciles'>,
  controller: string,
  clock: Pick<Clock, 'monotonic'>,
): ReconcileMeter {
  const { reconciles, reconcileErrors, reconcileDuration, activeReconciles } = instruments;
  let active = 0;
  // So that rates are right from the first error on.
  for (const result of ['success', 'error']) reconciles.add({ controller, result }, 0);
  reconcileErrors.add({ controller }, 0);
  const stop = activeReconciles.observe(() => [[{ controller }, active]]);
  return {
    async run(task) {
      const began = clock.monotonic();
      active += 1;
      try {
        const result = await task();
        reconciles.add({ controller, result: 'success' });
        return result;
      } catch (error) {
        reconciles.add({ controller, result: 'error' });
        reconcileErrors.add({ controller });
        throw error;
      } finally {
        active -= 1;
        reconcileDuration.record({ controller }, (clock.monotonic() - began) / 1000);
      }
    },
    stop,
  };
}
