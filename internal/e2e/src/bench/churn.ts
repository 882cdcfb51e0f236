import { readdirSync } from 'node:fs';
import { createAll, deleteAll } from './admin.ts';
import { type BenchCluster, residentMemory } from './bench-cluster.ts';
import type { Figure } from './figures.ts';
import { rates, route, timeouts } from './objects.ts';

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Lets routes and policies come and go, and compares the memory and the open files of the leader at the end with those in the middle. */
export async function measureChurn(cluster: BenchCluster, seconds: number): Promise<readonly Figure[]> {
  const { connection, replicas, holder } = cluster;
  const name = await holder();
  const leader = replicas.find((replica) => replica.name === name);
  if (leader === undefined) throw new Error('no replica leads');
  const filesOf = () => readdirSync(`/proc/${leader.pid}/fd`).length;
  const samples: { readonly memory: number; readonly files: number }[] = [];
  let changes = 0;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const objects = Array.from({ length: 20 }, (_, index) => `churn-${changes}-${index}`).flatMap((each) => [
      route(each),
      timeouts(each, { kind: 'HTTPRoute', name: each }),
      rates(each, { kind: 'HTTPRoute', name: each }),
    ]);
    await createAll(connection, objects);
    await deleteAll(connection, objects);
    changes += 2 * objects.length;
    samples.push({ memory: residentMemory(leader), files: filesOf() });
  }
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  return [
    {
      name: `churn of ${changes} changes: memory at the end, to that in the middle`,
      value: meanOf(last.map((it) => it.memory)) / meanOf(middle.map((it) => it.memory)),
      unit: '×',
      atMost: 1.1,
    },
    { name: '  resident memory at the end', value: samples.at(-1)?.memory ?? 0, unit: 'MB' },
    {
      name: '  open files at the end, beyond those in the middle',
      value: meanOf(last.map((it) => it.files)) - meanOf(middle.map((it) => it.files)),
      unit: 'files',
      atMost: 5,
    },
  ];
}
