import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Area, areas } from './lib/areas.ts';
import { type Mutant, mutantsOf } from './lib/mutants.ts';
import { type RunnerWithLimit, runnerWithLimit } from './lib/runner-with-limit.ts';
import { sampled } from './lib/sampled.ts';
import { sourcesIn } from './lib/sources.ts';

/**
 * Changes the sources of some areas in one place at a time, runs their tests, and says which changes no test finds.
 *
 * --area    one or more names; default: all
 * --match   a regular expression: only mutants of code in which it is found
 * --sample  how many mutants of each area are tried; default: all
 * --seed    of the sample; default: 1
 * --workers how many processes run tests at a time; default: 2
 */
const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: Object.keys(areas) },
    match: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
const root = fileURLToPath(new URL('../../../', import.meta.url));
// Random tests try as much for a mutant as is quick: a mutant that only more of them find counts as one that survives.
process.env.PROPERTY_RUNS ??= '25';
process.env.INCREMENTAL_SEQUENCES ??= '20';
process.chdir(root);

/** A mutant of a file. */
interface Place {
  readonly file: string;
  readonly mutant: Mutant;
}

const runners = Array.from({ length: Number(values.workers) }, runnerWithLimit);
const scores: string[] = [];
for (const name of values.area) {
  const area = areas[name];
  if (area === undefined) throw new TypeError(`Unknown area "${name}": use one of ${Object.keys(areas).join(', ')}.`);
  const all = area.sources
    .flatMap((path) => sourcesIn(root, path))
    .flatMap((file) => mutantsOf(readFileSync(root + file, 'utf8')).map((mutant): Place => ({ file, mutant })));
  const matching = all.filter(({ mutant }) => new RegExp(values.match).test(mutant.before));
  const count = values.sample === undefined ? matching.length : Number(values.sample);
  const chosen = sampled(matching, { count, seed: Number(values.seed), keyOf: describe });
  const killed = await countKilled(chosen, area.stages, await limitsOf(name, area));
  const share = ((100 * killed) / chosen.length).toFixed(0);
  scores.push(`| ${name} | ${all.length} | ${chosen.length} | ${killed} | ${share} % |`);
}
for (const runner of runners) runner.close();
console.log(['', '| area | mutants | tried | killed | score |', '|---|---|---|---|---|', ...scores].join('\n'));

/** Returns how much CPU time each stage may take with a mutant: a multiple of what it takes without. */
async function limitsOf(name: string, { stages }: Area): Promise<readonly number[]> {
  const [runner] = runners;
  if (runner === undefined) throw new RangeError('--workers must be at least 1.');
  const limits: number[] = [];
  for (const paths of stages) {
    const { failure, cpuTime } = await runner.run({ root, paths });
    if (failure !== undefined) throw new Error(`${name}: the tests fail without any mutant: ${failure}`);
    limits.push(10_000 + 3 * cpuTime);
  }
  return limits;
}

/** Tries mutants on all runners, and prints the result of each. */
async function countKilled(
  places: readonly Place[],
  stages: Area['stages'],
  limits: readonly number[],
): Promise<number> {
  let killed = 0;
  const queue = places.values();
  const tryNext = async (runner: RunnerWithLimit): Promise<void> => {
    for (const place of queue) {
      const failure = await failureOf(runner, place, stages, limits);
      if (failure !== undefined) killed += 1;
      console.log(`${failure === undefined ? 'SURVIVED' : 'killed  '} ${describe(place, place.mutant.line)}`);
      if (failure !== undefined) console.log(`         by ${failure}`);
    }
  };
  await Promise.all(runners.map(tryNext));
  return killed;
}

async function failureOf(
  runner: RunnerWithLimit,
  { file, mutant }: Place,
  stages: Area['stages'],
  limits: readonly number[],
): Promise<string | undefined> {
  for (const [index, paths] of stages.entries()) {
    const { failure } = await runner.run({ root, paths, file, mutant, limit: limits[index] });
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function describe({ file, mutant: { operator, before, after } }: Place, line?: number): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 80);
  return `${file}${line === undefined ? '' : `:${line}`} ${operator}: ${short(before)} -> ${short(after)}`;
}
