import { writeFileSync } from 'node:fs';
import { clusterOf, crowdedGateway, ladder, sharedService, sizeOf, wideGateway } from '@policy-machinery/workload';
import { barsOf, isMet } from './lib/bars.ts';
import { measureByTurns } from './lib/by-turns.ts';
import { performanceDocument } from './lib/document.ts';
import { keepLoaded, measureLoad } from './lib/load.ts';
import { barTable, changeTable, shapeTable, sizeTable } from './lib/report.ts';

/** Measures everything, prints it, and writes `docs/performance.md`; with `--check` exits 1 instead when a bar is missed. */
const isCheck = process.argv.includes('--check');

const say = (what: string): void => console.error(`measuring ${what} …`);
// Small clusters are loaded before the engine has made all code fast: it must not forget in between what it has.
keepLoaded(clusterOf(sizeOf(10_000)));
const { reference, changes, ...loads } = measureByTurns(say);
const sizes = [
  { nodes: 1_000, load: loads.thousand },
  { nodes: 10_000, load: loads.tenThousand },
  { nodes: 100_000, load: loads.hundredThousand },
];
say('small shapes');
const shapes = {
  wide: { what: 'one Gateway, 64 listeners, 1,000 routes on all of them', load: measureLoad(wideGateway(), 5) },
  shared: { what: 'one Service behind 10,000 rules', load: measureLoad(sharedService(), 5) },
  crowded: { what: '2,000 policies on one Gateway', load: measureLoad(crowdedGateway(), 5) },
  ladder: { what: 'a ladder of 40 diamonds', load: measureLoad(ladder(), 25) },
};

const bars = barsOf({ ...loads, reference, changes, wide: shapes.wide.load, ladder: shapes.ladder.load });
const tables = {
  bars: barTable(bars),
  sizes: sizeTable({ sizes, reference }),
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
