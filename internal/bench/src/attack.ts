import { clusterOf, referenceSize } from '@policy-machinery/workload';
import { attacks } from './lib/attacks/attacks.ts';
import { cpuTime, runStages } from './lib/attacks/stages.ts';
import { median, repeated } from './lib/measure.ts';

/** Runs one attack at one size, in this process; without arguments measures `JSON.parse` of R. Prints JSON. */
const [name, size] = process.argv.slice(2);

if (name === undefined) {
  const text = JSON.stringify(clusterOf(referenceSize).resources);
  console.log(median(repeated(5, () => cpuTime(() => JSON.parse(text)))));
} else {
  const attack = attacks.find((it) => it.name === name);
  if (attack === undefined) throw new Error(`There is no attack "${name}"`);
  const run = runStages(attack, Number(size));
  console.log(JSON.stringify({ ...run, memory: Math.round(process.resourceUsage().maxRSS / 1024) }));
}
