import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import type { StatusPlan } from './status-plan.ts';
import { createStatusPlanner } from './status-planner.ts';

const time = new Date('2026-01-02T03:04:05Z');
const options = { controllerName: 'example.com/gateways', affected: 'all', now: () => time } as const;
const names = ['a', 'b', 'c', 'd'];
const resources = [
  gateway('edge'),
  ...names.map((name) => route(name, ['edge'])),
  ...names.map((name) => timeouts(`on-${name}`, [`HTTPRoute ${name}`], { request: 1 })),
];
const shop = () => {
  const world = cluster(TimeoutPolicy, ...resources);
  return { ...world, planner: createStatusPlanner(world.effective, options) };
};
const writesIn = (plans: readonly StatusPlan[]) => plans.flatMap(({ writes }) => writes);
const namesIn = (plans: readonly StatusPlan[]) => writesIn(plans).map(({ ref }) => ref.name);
const byName = (plans: readonly StatusPlan[]) =>
  [...writesIn(plans)].sort((a, b) => (a.locator < b.locator ? -1 : Number(a.locator > b.locator)));

describe('StatusPlanner.planInSlices', () => {
  it.each([1, 3, 100])('plans what plan does, policies first, with slices of %i', (size) => {
    const slices = [...shop().planner.planInSlices({ size })];
    expect(byName(slices)).toEqual(byName([shop().planner.plan()]));
    expect(slices.every(({ writes }) => writes.length <= size)).toBe(true);
    const kinds = writesIn(slices).map(({ ref }) => ref.kind);
    expect(kinds.slice(0, names.length)).toEqual(names.map(() => 'TimeoutPolicy'));
  });

  it('computes what it needs in slices, for which it plans nothing', () => {
    const routes = Array.from({ length: 40 }, (_, index) => route(`r-${index}`, ['edge']));
    const { effective } = cluster(TimeoutPolicy, gateway('edge'), ...routes, timeouts('p', ['Gateway edge'], {}));
    const [first, second] = createStatusPlanner(effective, options).planInSlices();
    expect([first, second]).toEqual([
      { writes: [], refused: [] },
      { writes: [], refused: [] },
    ]);
  });

  it('plans nothing more when everything is carried out', () => {
    const { topology, planner } = shop();
    const slices = [...planner.planInSlices({ size: 2 })];
    for (const write of writesIn(slices)) planner.done(write);
    topology.apply({ upsert: writesIn(slices).map(({ result }) => result) });
    expect(namesIn([...planner.planInSlices()])).toEqual([]);
    expect(planner.plan().writes).toEqual([]);
  });

  it('plans with the slices that are left what changes in between, and again what was planned and changes', () => {
    const { topology, planner } = shop();
    const slices = planner.planInSlices({ size: 4 });
    const first = slices.next().value;
    expect(first === undefined ? [] : namesIn([first])).toEqual(['on-a', 'on-b', 'on-c', 'on-d']);
    topology.apply({
      upsert: [timeouts('on-a', ['HTTPRoute gone'], {}), timeouts('new', ['HTTPRoute b'], { idle: 1 })],
    });
    const rest = [...slices];
    expect(namesIn(rest).slice(0, 3).sort()).toEqual(['new', 'on-a', 'on-b']);
    expect(writesIn(rest).find(({ ref }) => ref.name === 'on-a')?.patch).toEqual(
      expect.arrayContaining([expect.objectContaining({ value: expect.anything() })]),
    );
  });

  it('leaves what is left to the next plan', () => {
    const { planner } = shop();
    const slices = planner.planInSlices({ size: 4 });
    const first = slices.next().value;
    for (const write of first?.writes ?? []) planner.done(write);
    const rest = planner.plan();
    expect(byName([...(first === undefined ? [] : [first]), rest])).toEqual(byName([shop().planner.plan()]));
  });

  it('plans again what is not acknowledged', () => {
    const { planner } = shop();
    const before = namesIn([...planner.planInSlices({ size: 2 })]);
    expect(namesIn([...planner.planInSlices({ size: 3 })]).sort()).toEqual([...before].sort());
  });

  it('says of each write whether it is of the first plan', () => {
    const { topology, planner } = shop();
    const slices = planner.planInSlices({ size: 4 });
    const urgencies = new Map((slices.next().value?.writes ?? []).map(({ ref, urgency }) => [ref.name, urgency]));
    expect(new Set(urgencies.values())).toEqual(new Set(['first-plan']));
    topology.apply({ upsert: [timeouts('new', ['HTTPRoute b'], { idle: 1 })] });
    for (const { ref, urgency } of writesIn([...slices])) urgencies.set(ref.name, urgency);
    expect(urgencies.get('new')).not.toBe('first-plan');
    expect(urgencies.get('a')).toBe('first-plan');
  });

  it('waits for kinds that are not listed yet', () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    const planner = createStatusPlanner(effectivePolicies(topology, TimeoutPolicy), options);
    const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);
    const kinds = [...topology.requiredKinds];
    for (const kind of kinds.slice(0, -1)) topology.replace(kind, ofKind(kind.kind));
    expect([...planner.planInSlices()]).toEqual([{ writes: [], refused: [], incomplete: kinds.slice(-1) }]);
    for (const kind of kinds.slice(-1)) topology.replace(kind, ofKind(kind.kind));
    expect(namesIn([...planner.planInSlices()])).toHaveLength(2 * names.length);
  });
});
