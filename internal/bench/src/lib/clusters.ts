import {
  clusterOf,
  crowdedGateway,
  ladder,
  referenceSize,
  sharedService,
  sizeOf,
  wideGateway,
} from '@policy-machinery/workload';
import { type Bar, barsOf } from './bars.ts';
import { measureByTurns } from './by-turns.ts';
import { measureCommands } from './commands.ts';
import type { Tables } from './document.ts';
import { measureFloor } from './floor.ts';
import { measureGuarantees } from './guarantees.ts';
import { keepLoaded, measureLoad } from './load.ts';
import { measureReading } from './reading.ts';
import { changeTable, shapeTable, sizeTable } from './report.ts';
import { measureSlices } from './slices.ts';
import { measureTrials } from './trials.ts';

/** The costs of clusters without hostile input. */
export interface MeasuredClusters {
  readonly bars: readonly Bar[];
  readonly tables: Pick<Tables, 'sizes' | 'changes' | 'shapes'>;
}

/**
 * Measures clusters of all sizes, changes of one, and awkward shapes.
 *
 * @param say Receives what is being measured.
 */
export function measureClusters(say: (what: string) => void): MeasuredClusters {
  // Small clusters are loaded before the engine has made all code fast: it must not forget in between what it has.
  keepLoaded(clusterOf(sizeOf(10_000)));
  const { reference, changes, ...loads } = measureByTurns(say);
  const sizes = [
    { nodes: 1_000, load: loads.thousand },
    { nodes: 10_000, load: loads.tenThousand },
    { nodes: 100_000, load: loads.hundredThousand },
  ];
  say('reading');
  const reading = measureReading(clusterOf(sizeOf(10_000)));
  say('readers of kinds');
  const workload = clusterOf(referenceSize);
  const floor = measureFloor(workload, 7);
  say('slices and trials');
  const slices = measureSlices(workload, 5);
  const trials = measureTrials(workload);
  say('guarantees');
  const verifying = measureGuarantees();
  say('commands');
  const commands = measureCommands(20_000);
  say('small shapes');
  const shapes = {
    wide: { what: 'one Gateway, 64 listeners, 1,000 routes on all of them', load: measureLoad(wideGateway(), 5) },
    shared: { what: 'one Service behind 10,000 rules', load: measureLoad(sharedService(), 5) },
    crowded: { what: '2,000 policies on one Gateway', load: measureLoad(crowdedGateway(), 5) },
    ladder: { what: 'a ladder of 40 diamonds', load: measureLoad(ladder(), 25) },
  };
  return {
    bars: barsOf({
      ...loads,
      reference,
      changes,
      reading,
      floor,
      wide: shapes.wide.load,
      ladder: shapes.ladder.load,
      slices,
      trials,
      verifying,
      commands,
    }),
    tables: {
      sizes: sizeTable({ sizes, reference }),
      changes: changeTable({ changes: Object.values(changes), reference }),
      shapes: shapeTable({ shapes: Object.values(shapes), reference }),
    },
  };
}
