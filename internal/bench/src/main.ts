import { writeFileSync } from 'node:fs';
import { attackBars, attackTable } from './lib/attacks/attack-table.ts';
import { measureAttacks } from './lib/attacks/measure-attacks.ts';
import { type Bar, isMet } from './lib/bars.ts';
import { measureClusters } from './lib/clusters.ts';
import { performanceDocument } from './lib/document.ts';
import { barTable } from './lib/report.ts';

/**
 * Measures everything, prints it, and writes `docs/performance.md`; with `--check` exits 1 instead when a bar is missed. With
 * `--attacks` only attacks are measured, and nothing is written.
 */
const isCheck = process.argv.includes('--check');
const isAttacks = process.argv.includes('--attacks');

const say = (what: string): void => console.error(`measuring ${what} …`);
const clusters = isAttacks ? undefined : measureClusters(say);
const { results, parse } = measureAttacks(say);
const bars: readonly Bar[] = [...(clusters?.bars ?? []), ...attackBars(results, parse)];
const tables = { bars: barTable(bars), ...clusters?.tables, attacks: attackTable(results, parse) };
console.log(Object.values(tables).join('\n\n'));

if (isCheck || isAttacks) {
  const missed = bars.filter((bar) => !isMet(bar));
  for (const { what } of missed) console.error(`missed: ${what}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} else if (clusters !== undefined) {
  const attacks = attackTable(results, parse, 10);
  const document = performanceDocument({ ...clusters.tables, bars: tables.bars, attacks });
  writeFileSync(new URL('../../../docs/performance.md', import.meta.url), document);
}
