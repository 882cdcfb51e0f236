import { setTimeout } from 'node:timers/promises';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createAll, deleteAll } from './admin.ts';
import { type BenchCluster, metricOf, residentMemory, until } from './bench-cluster.ts';
import type { Figure } from './figures.ts';
import { gateway, rates, route, timeouts } from './objects.ts';

/** Waits until no status has been written for a second. Returns when the last one was, in milliseconds since 1970. */
async function quiet({ statusWrites }: BenchCluster): Promise<number> {
  for (;;) {
    const before = statusWrites().length;
    await setTimeout(1000);
    const writes = statusWrites();
    if (writes.length === before) return Math.max(0, ...writes.map(({ ended }) => ended));
  }
}

const on = {
  gateway: { kind: 'Gateway', name: 'edge' },
  listener: (index: number) => ({ kind: 'Gateway', name: 'edge', sectionName: `listener-${index}` }),
  route: (name: string) => ({ kind: 'HTTPRoute', name }),
};

/** Creates routes on one Gateway, to which policies of two kinds are attached. */
export async function measureRoutes(cluster: BenchCluster, count = 1000): Promise<readonly Figure[]> {
  const { connection, replicas, statusWrites } = cluster;
  const [replica] = replicas;
  if (replica === undefined) throw new Error('no replica runs');
  const few = Array.from({ length: 10 }, (_, index) => route(`few-${index}`));
  await createAll(connection, [gateway(1), timeouts('house', on.gateway), rates('house', on.gateway), ...few]);
  const contexts = (number: number) =>
    until(async () => (await metricOf(replica, 'policy_machinery_effective_contexts')) === number, 50);
  await contexts(2 * few.length);
  await quiet(cluster);
  const memoryBefore = residentMemory(replica);
  const routes = Array.from({ length: count }, (_, index) => route(`route-${index}`));
  const began = Date.now();
  await createAll(connection, routes);
  const created = Date.now();
  await contexts(2 * (few.length + count));
  const computed = Date.now();
  const settled = Math.max(computed, await quiet(cluster));
  const onGateway = statusWrites().filter(({ resource }) => resource.startsWith('gateways/')).length;
  const seconds = (settled - created) / 1000;
  return [
    { name: `${count} routes on a Gateway: settled after the last one`, value: seconds, unit: 's', atMost: 1 },
    {
      name: '  as a share of the time that creating them took',
      value: (settled - created) / (created - began),
      unit: '',
    },
    { name: '  writes to the status of the Gateway', value: onGateway, unit: 'writes', atMost: 15 },
    { name: 'resident memory with 10 routes', value: memoryBefore, unit: 'MB', atMost: 90 },
    { name: `resident memory with ${count} routes more`, value: residentMemory(replica), unit: 'MB', atMost: 110 },
  ];
}

/** Creates a Gateway with a policy and 63 listeners, each with a policy and a route, each of which has two policies. */
export async function measureListeners(cluster: BenchCluster, count = 63): Promise<readonly Figure[]> {
  const { connection, statusWrites } = cluster;
  const indices = Array.from({ length: count }, (_, index) => index);
  const objects: readonly KubernetesObject[] = [
    gateway(count),
    ...indices.map((index) => route(`listened-${index}`, index)),
    timeouts('gateway', on.gateway),
    ...indices.map((index) => timeouts(`listener-${index}`, on.listener(index))),
    ...indices.map((index) => timeouts(`route-${index}`, on.route(`listened-${index}`), '5s')),
    ...indices.map((index) => rates(`route-${index}`, on.route(`listened-${index}`))),
  ];
  const before = statusWrites().length;
  const began = Date.now();
  await createAll(connection, objects);
  const created = Date.now();
  const settled = await quiet(cluster);
  const writes = statusWrites().slice(before);
  const onGateway = writes.filter(({ resource }) => resource.startsWith('gateways/')).length;
  await deleteAll(connection, objects);
  await quiet(cluster);
  return [
    {
      name: `${count} listeners, each with a route and three policies: settled`,
      value: Math.max(0, settled - created) / 1000,
      unit: 's',
      atMost: 5,
    },
    {
      name: '  as a share of the time that creating them took',
      value: Math.max(0, settled - created) / (created - began),
      unit: '',
    },
    { name: '  writes to the status of the Gateway', value: onGateway, unit: 'writes', atMost: 15 },
    { name: '  writes in all, for each object', value: writes.length / objects.length, unit: 'writes', atMost: 1.5 },
  ];
}
