import { type BenchCluster, until } from './bench-cluster.ts';
import type { Figure } from './figures.ts';

/** Ends the leader, by a signal, and measures when another replica leads. Then there are as many replicas as before. */
async function takeover(cluster: BenchCluster, signal: NodeJS.Signals): Promise<number> {
  const { replicas, holder, start, end } = cluster;
  const leading = await holder();
  const leader = replicas.find(({ name }) => name === leading);
  if (leader === undefined) throw new Error(`"${leading}" holds the lease, which is no replica that runs`);
  const began = Date.now();
  const ending = end(leader, signal);
  await until(async () => ![leading, ''].includes(await holder()));
  const took = (Date.now() - began) / 1000;
  await ending;
  await start();
  return took;
}

/** Measures how soon a replica takes over, when the leader is stopped and when it dies. */
export async function measureTakeover(cluster: BenchCluster): Promise<readonly Figure[]> {
  const [released, killed] = [await takeover(cluster, 'SIGTERM'), await takeover(cluster, 'SIGKILL')];
  return [
    { name: 'takeover when the leader is stopped', value: released, unit: 's', atMost: 2 },
    { name: 'takeover when the leader dies', value: killed, unit: 's', atMost: 16 },
  ];
}
