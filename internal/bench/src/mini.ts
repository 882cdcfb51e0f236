import { clusterOf, referenceSize, sizeOf } from '@policy-machinery/workload';
import { asListed } from './lib/as-listed.ts';
import { Controller } from './lib/controller.ts';
import { collectGarbage, timedOnCpu } from './lib/measure.ts';
const size = process.argv[2] === 'R' ? referenceSize : sizeOf(Number(process.argv[2] ?? 10000));
const { resources, ...kinds } = clusterOf(size);
const text = JSON.stringify(asListed(resources));
const kept: unknown[] = [];
for (let turn = 0; turn < Number(process.argv[3] ?? 3); turn++) {
  collectGarbage();
  const { ms: parse, result } = timedOnCpu(() => JSON.parse(text));
  const controller = new Controller(kinds);
  const t = (run: () => unknown) => (timedOnCpu(run).ms / parse).toFixed(2);
  console.log('parse', parse.toFixed(0), 'apply', t(() => controller.topology.apply({ upsert: result })), 'views', t(() => controller.makeViews()), 'specs', t(() => controller.readSpecs()), 'plan', t(() => controller.plan()));
  kept[0] = controller;
}
