import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { areas } from './lib/areas.ts';
import { type Mutant, mutantsOf } from './lib/mutants.ts';
import { runnerWithLimit } from './lib/runner-with-limit.ts';
import { sampled } from './lib/sampled.ts';

/**
 * Changes the sources of some areas in one place at a time, runs their tests, and says which changes no test finds.
 *
 * --area  one or more names; default: all
 * --match a regular expression: only mutants of code in which it is found
 * --sample how many mutants of each area are tried; default: all
 * --seed  of the sample; default: 1
 */
const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: Object.keys(areas) },
    match: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = readdirSync(`${root}packages`, { recursive: true, encoding: 'utf8' })
  .map((path) => `packages/${path}`)
  .filter((path) => !/\/(node_modules|dist)\/|\.(test|test-d|fixture)\.ts$/.test(path))
  .sort();
// Random tests try as much for a mutant as is quick: a mutant that only longer sequences find counts as one that survives.
process.env.PROPERTY_RUNS ??= '50';
process.env.INCREMENTAL_SEQUENCES ??= '60';
process.chdir(root);

const runner = runnerWithLimit(root);
const scores: string[] = [];
for (const name of values.area) {
  const area = areas[name];
  if (area === undefined) throw new TypeError(`Unknown area "${name}": use one of ${Object.keys(areas).join(', ')}.`);
  const all = sources
    .filter((path) => area.files.test(path))
    .flatMap((path) => mutantsOf(readFileSync(root + path, 'utf8')).map((mutant) => ({ path, mutant })))
    .filter(({ mutant }) => new RegExp(values.match).test(mutant.before));
  const chosen = values.sample === undefined ? all : sampled(all, Number(values.sample), Number(values.seed));
  for (const stage of area.stages) {
    const failure = await runner.run(stage);
    if (failure !== undefined) throw new Error(`${name}: the tests fail without any mutant: ${failure}`);
  }
  let killed = 0;
  for (const { path, mutant } of chosen) {
    let failure: string | undefined;
    for (const stage of area.stages) failure ??= await runner.run(stage, path, mutant);
    if (failure !== undefined) killed += 1;
    console.log(`${failure === undefined ? 'SURVIVED' : 'killed  '} ${path}:${mutant.line} ${describe(mutant)}`);
    if (failure !== undefined) console.log(`         by ${failure}`);
  }
  const share = ((100 * killed) / chosen.length).toFixed(0);
  scores.push(`| ${name} | ${all.length} | ${chosen.length} | ${killed} | ${share} % |`);
}
await runner.close();
console.log(['', '| area | mutants | tried | killed | score |', '|---|---|---|---|---|', ...scores].join('\n'));

function describe({ operator, before, after }: Mutant): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 80);
  return `${operator}: ${short(before)} -> ${short(after)}`;
}
