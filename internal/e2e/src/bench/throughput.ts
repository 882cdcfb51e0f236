import { join } from 'node:path';
import { runProgram } from '../processes.ts';
import { createAll } from './admin.ts';
import type { BenchCluster } from './bench-cluster.ts';
import type { Figure } from './figures.ts';
import { configMap } from './objects.ts';

/** Measures how many events a process takes into its store in a second of CPU time: those of a watch that begins with all objects. */
export async function measureThroughput(cluster: BenchCluster, count = 5000): Promise<readonly Figure[]> {
  const objects = Array.from({ length: count }, (_, index) => configMap(`map-${index}`));
  await createAll(cluster.connection, objects);
  const reader = join(import.meta.dirname, 'reader.ts');
  const args = ['--conditions=@policy-machinery/source', '--import', 'tsx', reader, cluster.kubeconfig];
  const { events, cpu }: { events: number; cpu: number } = JSON.parse(await runProgram(process.execPath, args));
  return [
    { name: `${events} events through source and store`, value: events / cpu, unit: 'per CPU second', atLeast: 30_000 },
  ];
}
