// Measures a controller on a real API server, and prints a line for each figure, with the bar that it is to keep.

import { buildBinaries } from '../binaries.ts';
import { startBenchCluster } from './bench-cluster.ts';
import { measureChurn } from './churn.ts';
import { type Figure, isKept, lineOf } from './figures.ts';
import { measureListeners, measureRoutes } from './settling.ts';
import { measureTakeover } from './takeover.ts';
import { measureThroughput } from './throughput.ts';

/** How long objects come and go, in seconds. */
const churn = Number(process.env.BENCH_CHURN_SECONDS ?? 60);

await buildBinaries();
const cluster = await startBenchCluster();
let missed = 0;
const print = (figures: readonly Figure[]) => {
  for (const figure of figures) console.log(lineOf(figure));
  missed += figures.filter((figure) => !isKept(figure)).length;
};
try {
  await cluster.start();
  print(await measureListeners(cluster));
  print(await measureRoutes(cluster));
  await cluster.start();
  print(await measureTakeover(cluster));
  print(await measureChurn(cluster, churn));
  print(await measureThroughput(cluster));
} finally {
  await cluster.close();
}
process.exitCode = missed === 0 ? 0 : 1;
