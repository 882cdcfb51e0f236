import { clusterOf, referenceSize, sizeOf } from '@policy-machinery/workload';
import { type ChangeName, type MeasuredChange, mediansOf, timeChanges } from './changes.ts';
import { type Load, loading } from './load.ts';
import { medians, repeated } from './measure.ts';

/** The costs of clusters of one mix, and of their changes. */
export interface MeasuredByTurns {
  /** The reference size. */
  readonly reference: Load;
  readonly hundredThousand: Load;
  readonly tenThousand: Load;
  readonly thousand: Load;
  /** Of the reference size. */
  readonly changes: Readonly<Record<ChangeName, MeasuredChange>>;
}

/**
 * Loads clusters of all sizes and changes that of the reference size, by turns: machines are busy by turns, and what is compared
 * is to be measured at the same times.
 *
 * @param say Receives what is being measured.
 */
export function measureByTurns(say: (what: string) => void): MeasuredByTurns {
  const workload = clusterOf(referenceSize);
  const loads = {
    reference: loading(workload),
    hundredThousand: loading(clusterOf(sizeOf(100_000))),
    tenThousand: loading(clusterOf(sizeOf(10_000))),
    thousand: loading(clusterOf(sizeOf(1_000))),
  };
  const turns = repeated(5, (turn) => {
    say(`sizes and changes, turn ${turn + 1} of 5`);
    return {
      reference: repeated(2, loads.reference),
      changes: timeChanges(workload, turn + 1),
      hundredThousand: repeated(2, loads.hundredThousand),
      tenThousand: repeated(4, loads.tenThousand),
      thousand: repeated(5, loads.thousand),
    };
  });
  return {
    reference: medians(turns.flatMap(({ reference }) => reference)),
    hundredThousand: medians(turns.flatMap(({ hundredThousand }) => hundredThousand)),
    tenThousand: medians(turns.flatMap(({ tenThousand }) => tenThousand)),
    thousand: medians(turns.flatMap(({ thousand }) => thousand)),
    changes: mediansOf(turns.map(({ changes }) => changes)),
  };
}
