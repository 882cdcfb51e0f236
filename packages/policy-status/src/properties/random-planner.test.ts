import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tunnel } from '../lib/cluster.fixture.ts';
import type { StatusPlannerOptions } from '../lib/plan/plan-options.ts';
import { planStatus } from '../lib/plan/plan-status.ts';
import type { StatusPlan } from '../lib/plan/status-plan.ts';
import { createStatusPlanner, type StatusPlanner } from '../lib/plan/status-planner.ts';
import { ApiServer } from './api-server.fixture.ts';
import { runs } from './runs.fixture.ts';
import { changes, kinds, type World } from './worlds.fixture.ts';

const controllerName = 'example.com/gateways';
const now = new Date('2026-01-02T03:04:05Z');

/** The fate of one write: it arrives and is acknowledged or not, or it fails and this is reported or not. */
const fates = ['done', 'done', 'done without an answer', 'done unheard', 'failed', 'lost', 'under way'] as const;
const steps = ['change', 'change', 'tell', 'tell', 'plan', 'plan', 'list', 'start over'] as const;

/** The fate of a write in a queue that sends it some time later. */
const fatesInQueue = ['done', 'done without an answer', 'failed'] as const;

type Repeat = NonNullable<StatusPlannerOptions['repeat']>;

/** A cluster, its API server and a controller's planner. */
function controlled(rules: World['rules'], affected: 'targets' | 'all', repeat: Repeat = 'until-done') {
  const kind = kinds[rules];
  const options = { targetKinds: [...gatewayApi(), Tunnel], policyKinds: [kind] };
  const topology = createTopology(options);
  const effective = effectivePolicies(topology, kind);
  const planner = createStatusPlanner(effective, { controllerName, affected, now: () => now, repeat });
  const server = new ApiServer(topology);
  const planAfresh = () => {
    const fresh = createTopology(options);
    fresh.apply({ upsert: server.objects });
    return planStatus(effectivePolicies(fresh, kind), { controllerName, affected, now });
  };
  return { topology, server, planner, planAfresh };
}

type Controlled = ReturnType<typeof controlled>;

/** Sends the planned writes, at once or in slices. Returns their number. */
function sendAll({ server, planner }: Controlled, fateOf: () => (typeof fates)[number], isSliced = false): number {
  const { writes } = isSliced ? inSlices(planner) : planner.plan();
  for (const write of writes) {
    const fate = fateOf();
    if (fate === 'under way') planner.started(write);
    const result = fate === 'lost' || fate === 'failed' ? undefined : server.patch(write);
    if (fate === 'lost' || fate === 'done unheard') continue; // The planner learns nothing.
    if (result === undefined) planner.failed(write);
    else planner.done(write, fate === 'done without an answer' ? undefined : result);
  }
  return writes.length;
}

function inSlices(planner: StatusPlanner): StatusPlan {
  const slices = [...planner.planInSlices({ size: 2 })];
  return { writes: slices.flatMap(({ writes }) => writes), refused: slices.flatMap(({ refused }) => refused) };
}

describe('a planner, with any failures and late watches', () => {
  it('reaches the statuses of a fresh plan, and then plans nothing', () => {
    let sent = 0;
    const choices = fc.infiniteStream(fc.nat(1_000_000));
    fc.assert(
      fc.property(changes, choices, ({ world, next }, stream) => {
        const choose = <Item>(items: readonly Item[]): Item => items[(stream.next().value ?? 0) % items.length] as Item;
        const repeat = choose<Repeat>(['until-done', 'after-failure']);
        const all = controlled(world.rules, choose(['targets', 'all']), repeat);
        const { topology, server, planner, planAfresh } = all;
        for (const object of world.resources) server.put(object);
        const names = new Set(next.resources.map((it) => locatorOf(it)));
        const edits = [
          ...next.resources.map((it) => () => server.put(it)),
          ...world.resources.flatMap((it) => (names.has(locatorOf(it)) ? [] : [() => server.delete(locatorOf(it))])),
        ];
        const lists = choose(['none', 'at first, and now and then', 'late'] as const);
        if (lists.startsWith('at first')) for (const kind of topology.requiredKinds) server.list(kind);
        for (let count = 0; count < 25; count += 1) {
          const step = choose(steps);
          if (step === 'change') choose(edits)();
          else if (step === 'tell') server.tell(() => choose([true, false]));
          else if (step === 'list' && lists !== 'none') server.list(choose(topology.requiredKinds));
          else if (step === 'plan')
            sent += sendAll(all, () => choose(repeat === 'until-done' ? fates : fatesInQueue), choose([true, false]));
          else if (step === 'start over') planner.startOver();
        }
        // Nothing fails any more, and the watches keep up.
        for (const kind of topology.unlistedKinds) server.list(kind);
        for (let round = 0; round < 4; round += 1) {
          server.tellAll();
          sendAll(all, () => 'done');
        }
        expect(planAfresh().writes).toEqual([]);
        expect(planner.plan().writes).toEqual([]);
        server.tellAll();
        expect(planner.plan().writes).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
    expect(sent).toBeGreaterThan(runs(1000));
  });

  it('plans the same as a fresh plan, once all watch events have arrived', () => {
    fc.assert(
      fc.property(changes, fc.infiniteStream(fc.boolean()), ({ world, next }, stream) => {
        const all = controlled(world.rules, stream.next().value ? 'targets' : 'all');
        const { server, planner, planAfresh } = all;
        for (const resources of [world.resources, next.resources]) {
          const isNew = (object: KubernetesObject) =>
            resources === world.resources || !world.resources.includes(object);
          for (const object of resources) if (isNew(object)) server.put(object);
          server.tellAll();
          const { writes, refused } = planner.plan();
          const urgencies = writes.map(({ urgency }) => urgency);
          const expected = planAfresh().writes;
          expect(writes).toEqual(expected.map((write, index) => ({ ...write, urgency: urgencies[index] })));
          expect(refused.length).toBeLessThanOrEqual(planAfresh().refused.length);
          for (const write of writes) {
            if (stream.next().value) planner.failed(write);
            else planner.done(write, server.patch(write));
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
