import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster, gateway, resourceIn, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import type { PlanStatusOptions } from './plan-options.ts';
import { createStatusPlanner } from './status-planner.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const foreign = { ancestorRef: { name: 'a' }, controllerName: 'other.io/controller', conditions: [] };
const stale = (name: string) => ({ ancestorRef: { name }, controllerName: 'example.com/gateways', conditions: [] });

/** Policies on all Gateways and on a route below all of them, and one with entries of others and of Gateways that it is not attached to any more. */
const objects = (): readonly KubernetesObject[] => [
  ...names.map((name) => gateway(name)),
  route('shared', names),
  timeouts(
    'everywhere',
    ['Gateway a', 'Gateway b', 'Gateway c', 'Gateway d', 'Gateway e'],
    { overrides: { idle: 1 } },
    { seconds: 1 },
  ),
  timeouts('on-route', ['HTTPRoute shared'], { request: 5, idle: 2 }, { seconds: 2 }),
  timeouts('on-none', ['Gateway none', 'Gateway a'], { request: 5 }, { seconds: 3 }),
  timeouts(
    'moved',
    ['Gateway b'],
    { request: 7 },
    { seconds: 4, status: { ancestors: [foreign, stale('c'), stale('d')] } },
  ),
];

/** The objects that each of three replicas answers for: by the last letter before the name ends. */
const answering = (replica: number) => (object: string) => (object.codePointAt(object.length - 1) ?? 0) % 3 === replica;

/** Plans with each of some replicas in turn, until nothing is left to write. Returns the objects that each has written to. */
function planInTurns(topology: Topology, planners: readonly ReturnType<typeof createStatusPlanner>[]) {
  const written = planners.map(() => new Set<string>());
  for (let turn = 0; turn < 30; turn += 1) {
    const index = turn % planners.length;
    const { writes = [] } = planners[index]?.plan() ?? {};
    for (const write of writes) {
      carryOut(topology, [write]);
      planners[index]?.done(write, resourceIn(topology, write.locator));
      written[index]?.add(write.locator);
    }
  }
  expect(planners.flatMap((planner) => planner.plan().writes)).toEqual([]);
  return written;
}

const nameIn = ({ ancestorRef, controllerName }: JsonObject) =>
  `${isJsonObject(ancestorRef) && ancestorRef.name} by ${controllerName}`;

/** Returns the statuses of all objects, with entries in the order of their ancestors. */
function statusesIn(topology: Topology) {
  const all = [...topology.policies(TimeoutPolicy), ...topology.targets];
  return Object.fromEntries(
    all.map(({ locator, resource: { status } }) => {
      if (!isJsonObject(status) || status.ancestors === undefined) return [locator, status];
      const entries = objectsIn(status.ancestors).map((entry) => [nameIn(entry), entry] as const);
      return [locator, { ...status, ancestors: entries.sort(([a], [b]) => (a < b ? -1 : 1)) }];
    }),
  );
}

describe.each(['ancestors', 'targets', 'conditions'] as const)(
  'replicas that share a cluster by object, with rendering: %s',
  (rendering) => {
    const now = () => new Date(0);
    const options = { controllerName: 'example.com/gateways', affected: 'all', rendering, now } as const;

    it('write the statuses of a single one', () => {
      const single = cluster(TimeoutPolicy, ...objects());
      planInTurns(single.topology, [createStatusPlanner(single.effective, options)]);
      const { topology, effective } = cluster(TimeoutPolicy, ...objects());
      const planners = [0, 1, 2].map((it) => createStatusPlanner(effective, { ...options, answersFor: answering(it) }));
      const written = planInTurns(topology, planners);
      expect(statusesIn(topology)).toEqual(statusesIn(single.topology));
      for (const { locator } of topology.targets) {
        const writers = written.flatMap((objects, index) => (objects.has(locator) ? [index] : []));
        expect(writers).toEqual(writers.length === 0 ? [] : [[0, 1, 2].find((it) => answering(it)(locator))]);
      }
    });
  },
);

describe('a replica that shares a cluster by object', () => {
  const planOf = (options: Pick<PlanStatusOptions, 'answersFor'>) => {
    const { topology, effective } = cluster(TimeoutPolicy, ...objects());
    const planner = createStatusPlanner(effective, {
      controllerName: 'example.com/gateways',
      now: () => new Date(0),
      ...options,
    });
    carryOut(topology, planner.plan().writes);
    const { status } = resourceIn(topology, 'timeoutpolicy.example.com:shop/moved');
    return isJsonObject(status) ? objectsIn(status.ancestors) : [];
  };
  const c = (object: string) => object.endsWith('/c');

  it("leaves other replicas' entries alone, also those that are of no use, and removes its own", () => {
    expect(planOf({ answersFor: c })).toEqual([foreign, stale('d')]);
    expect(planOf({ answersFor: () => false })).toEqual([foreign, stale('c'), stale('d')]);
    expect(planOf({}).map(nameIn)).toEqual(['a by other.io/controller', 'b by example.com/gateways']);
  });
});
