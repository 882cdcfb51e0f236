import { parseArgs } from 'node:util';
import { clusterOf, randomChanges, referenceSize, sizeOf } from '@policy-machinery/workload';
import { bytesAfresh } from './lib/afresh.ts';
import { Controller } from './lib/controller.ts';
import { growthOf, tolerance } from './lib/growth.ts';
import { bytesHeld, timed } from './lib/measure.ts';

/** Makes random changes for a time, or so many of them, and exits 1 when memory grows although nothing needs it. */
const { values } = parseArgs({
  options: {
    /** For how long, besides what measuring takes. Default an hour. */
    minutes: { type: 'string', default: '60' },
    /** Stop after so many changes. Default: when the time is up. */
    changes: { type: 'string', default: 'Infinity' },
    /** About how many nodes the cluster has. Default those of the reference size. */
    nodes: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const empty = bytesHeld();
const seed = Number(values.seed);
const workload = clusterOf(values.nodes === undefined ? referenceSize : sizeOf(Number(values.nodes)), { seed });
const changes = randomChanges(workload.resources, { seed });
const controller = new Controller(workload);
controller.topology.apply({ upsert: workload.resources });
controller.makeViews();
changes.write(controller.carryOut(controller.plan()));

const total = { ms: Number(values.minutes) * 60_000, changes: Number(values.changes) };
const done = { ms: 0, changes: 0 };
const progress = (): number => Math.max(done.ms / total.ms, done.changes / total.changes);

/** The memory, as a multiple of what it takes to start afresh with the same resources, at even intervals. */
const samples: number[] = [];
const intervals = 40;
while (progress() < 1) {
  const change = changes.next().value;
  const { ms, result } = timed(() => controller.carryOut(controller.take(change)));
  changes.write(result);
  done.ms += ms;
  done.changes += 1;
  if (progress() * intervals < samples.length + 1) continue;
  const bytes = bytesHeld() - empty;
  const ratio = bytes / bytesAfresh(workload, changes.resources);
  samples.push(ratio);
  const mebibytes = Math.round(bytes / 2 ** 20);
  console.log(
    `${done.changes.toLocaleString('en')} changes: ${mebibytes} MiB, ${ratio.toFixed(3)} × what starting afresh takes`,
  );
}

const growth = growthOf(samples);
const percent = `${(growth * 100).toFixed(1)} %`;
console.log(`From the second quarter to the last, that has changed by ${percent}; ${tolerance * 100} % are tolerated.`);
if (growth > tolerance) process.exitCode = 1;
