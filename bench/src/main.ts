import { writeFileSync } from 'node:fs';
import {
  clusterOf,
  crowdedGateway,
  ladder,
  referenceSize,
  sharedService,
  sizeOf,
  wideGateway,
} from '@policy-machinery/workload';
import { barsOf, isMet } from './lib/bars.ts';
import { measureChanges } from './lib/changes.ts';
import { performanceDocument } from './lib/document.ts';
import { keepLoaded, measureLoad } from './lib/load.ts';
import { barTable, changeTable, shapeTable, sizeTable } from './lib/report.ts';

/** Measures everything, prints it, and writes `docs/performance.md`; with `--check` exits 1 instead when a bar is missed. */
const isCheck = process.argv.includes('--check');

const say = (what: string): void => console.error(`measuring ${what} …`);
// First, in a heap in which nothing else has been: a controller loads its cluster once.
say('changes');
const workload = clusterOf(referenceSize);
const changes = measureChanges(workload);
// Small ones are over before the engine has made all code fast: so they come last, and it must not forget it in between.
keepLoaded(clusterOf(sizeOf(10_000)));
say('sizes');
const hundredThousand = { nodes: 100_000, load: measureLoad(clusterOf(sizeOf(100_000)), 9) };
const reference = measureLoad(workload, 9);
const tenThousand = { nodes: 10_000, load: measureLoad(clusterOf(sizeOf(10_000)), 9) };
const thousand = { nodes: 1_000, load: measureLoad(clusterOf(sizeOf(1_000)), 25) };
say('small shapes');
const shapes = {
  wide: { what: 'one Gateway, 64 listeners, 1,000 routes on all of them', load: measureLoad(wideGateway(), 5) },
  shared: { what: 'one Service behind 10,000 rules', load: measureLoad(sharedService(), 5) },
  crowded: { what: '2,000 policies on one Gateway', load: measureLoad(crowdedGateway(), 5) },
  ladder: { what: 'a ladder of 40 diamonds', load: measureLoad(ladder(), 25) },
};

const bars = barsOf({
  reference,
  changes,
  tenThousand: tenThousand.load,
  hundredThousand: hundredThousand.load,
  wide: shapes.wide.load,
  ladder: shapes.ladder.load,
});
const tables = {
  bars: barTable(bars),
  sizes: sizeTable({ sizes: [thousand, tenThousand, hundredThousand], reference }),
  changes: changeTable({ changes: Object.values(changes), reference }),
  shapes: shapeTable({ shapes: Object.values(shapes), reference }),
};
console.log(Object.values(tables).join('\n\n'));

if (isCheck) {
  const missed = bars.filter((bar) => !isMet(bar));
  for (const { what } of missed) console.error(`missed: ${what}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} else {
  writeFileSync(new URL('../../docs/performance.md', import.meta.url), performanceDocument(tables));
}
