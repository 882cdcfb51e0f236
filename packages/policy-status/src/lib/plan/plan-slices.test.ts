import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import type { StatusPlan, StatusPlanSlice } from './status-plan.ts';
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

/** The locators in the scope of a slice. */
const namedIn = ({ scope }: StatusPlanSlice) =>
  scope.flatMap(({ policies, affectedObjects, statuses = [] }) => [
    ...policies,
    ...new Set([...affectedObjects, ...statuses]),
  ]);

describe('StatusPlanner.planInSlices', () => {
  it.each([1, 3, 100])('makes the same plan as plan, policies first, with slices of %i', (size) => {
    const slices = [...shop().planner.planInSlices({ size })];
    expect(byName(slices)).toEqual(byName([shop().planner.plan()]));
    expect(slices.every(({ writes }) => writes.length <= size)).toBe(true);
    const kinds = writesIn(slices).map(({ ref }) => ref.kind);
    expect(kinds.slice(0, names.length)).toEqual(names.map(() => 'TimeoutPolicy'));
  });

  it.each([
    [undefined, 8],
    [3, 3],
  ])('covers each policy and object in one slice, few in each, and names these (size %s)', (size, most) => {
    const more = Array.from({ length: 20 }, (_, index) => route(`r-${index}`, ['edge']));
    const { topology, effective } = cluster(TimeoutPolicy, ...resources, ...more);
    const slices = [...createStatusPlanner(effective, options).planInSlices(size === undefined ? {} : { size })];
    const named = slices.map(namedIn);
    expect(Math.max(...named.map((it) => it.length))).toBe(most);
    const all = [...topology.policies(TimeoutPolicy), ...topology.targets].map(({ locator }) => locator);
    expect(new Set(named.flat()).size).toBe(named.flat().length);
    expect(all).toEqual(expect.arrayContaining(named.flat()));
    expect(named.flat()).toEqual(expect.arrayContaining(writesIn(slices).map(({ locator }) => locator)));
    for (const [index, { writes }] of slices.entries()) {
      expect(named[index]).toEqual(expect.arrayContaining(writes.map(({ locator }) => locator)));
    }
  });

  it('computes its inputs in slices that plan nothing', () => {
    const routes = Array.from({ length: 40 }, (_, index) => route(`r-${index}`, ['edge']));
    const { effective } = cluster(TimeoutPolicy, gateway('edge'), ...routes, timeouts('p', ['Gateway edge'], {}));
    const [first, second] = createStatusPlanner(effective, options).planInSlices();
    expect([first, second]).toEqual([
      { writes: [], refused: [], scope: [] },
      { writes: [], refused: [], scope: [] },
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

  it('plans changes in between with the remaining slices, and planned objects again', () => {
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

  it('leaves the rest to the next plan', () => {
    const { planner } = shop();
    const slices = planner.planInSlices({ size: 4 });
    const first = slices.next().value;
    for (const write of first?.writes ?? []) planner.done(write);
    const rest = planner.plan();
    expect(byName([...(first === undefined ? [] : [first]), rest])).toEqual(byName([shop().planner.plan()]));
  });

  it('plans writes that are not acknowledged again', () => {
    const { planner } = shop();
    const before = namesIn([...planner.planInSlices({ size: 2 })]);
    expect(namesIn([...planner.planInSlices({ size: 3 })]).sort()).toEqual([...before].sort());
  });

  it('marks the writes of the first plan', () => {
    const { topology, planner } = shop();
    const slices = planner.planInSlices({ size: 4 });
    const urgencies = new Map((slices.next().value?.writes ?? []).map(({ ref, urgency }) => [ref.name, urgency]));
    expect(new Set(urgencies.values())).toEqual(new Set(['first-plan']));
    topology.apply({ upsert: [timeouts('new', ['HTTPRoute b'], { idle: 1 })] });
    for (const { ref, urgency } of writesIn([...slices])) urgencies.set(ref.name, urgency);
    expect(urgencies.get('new')).not.toBe('first-plan');
    expect(urgencies.get('a')).toBe('first-plan');
  });

  it.each([
    ['before plan is called for the rest', (change: () => void, rest: () => void) => [change, rest]],
    ['after that', (change: () => void, rest: () => void) => [rest, change]],
  ])('does not count a write that is due to a change to the first plan: %s', (_when, inOrder) => {
    const { topology, planner } = shop();
    planner.planInSlices({ size: 4 }).next();
    const change = () => topology.apply({ upsert: [timeouts('on-b', ['HTTPRoute b'], { idle: 1 })] });
    const rest = () => void planner.plan();
    for (const step of inOrder(change, rest)) step();
    const urgencies = new Map(planner.plan().writes.map(({ ref, urgency }) => [ref.name, urgency]));
    expect(urgencies.get('on-b')).toBe('outcome');
    expect([urgencies.get('on-a'), urgencies.get('a')]).toEqual(['first-plan', 'first-plan']);
  });

  it('counts a write to the first plan for as long as nothing changes, however often it is planned', () => {
    const { planner } = shop();
    expect(namesIn([...planner.planInSlices()])).toHaveLength(2 * names.length);
    planner.planInSlices({ size: 4 }).next();
    expect(new Set(planner.plan().writes.map(({ urgency }) => urgency))).toEqual(new Set(['first-plan']));
  });

  it('plans objects after objects below them, which determine the policies that affect an object', () => {
    const { effective } = cluster(TimeoutPolicy, timeouts('p', ['Gateway edge'], { idle: 1 }), ...resources);
    const slices = [...createStatusPlanner(effective, options).planInSlices({ size: 1 })];
    const kinds = writesIn(slices).map(({ ref }) => ref.kind);
    expect([...new Set(kinds)]).toEqual(['TimeoutPolicy', 'HTTPRoute', 'Gateway']);
    expect(kinds.lastIndexOf('HTTPRoute')).toBeLessThan(kinds.indexOf('Gateway'));
  });

  it('waits for kinds that are not listed yet', () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    const planner = createStatusPlanner(effectivePolicies(topology, TimeoutPolicy), options);
    const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);
    const kinds = [...topology.requiredKinds];
    for (const kind of kinds.slice(0, -1)) topology.replace(kind, ofKind(kind.kind));
    expect([...planner.planInSlices()]).toEqual([{ writes: [], refused: [], scope: [], incomplete: kinds.slice(-1) }]);
    for (const kind of kinds.slice(-1)) topology.replace(kind, ofKind(kind.kind));
    expect(namesIn([...planner.planInSlices()])).toHaveLength(2 * names.length);
  });
});

describe('a planner that repeats writes after failures only', () => {
  const planning = () => {
    const { topology, effective } = cluster(TimeoutPolicy, ...resources);
    return { topology, planner: createStatusPlanner(effective, { ...options, repeat: 'after-failure' }) };
  };
  const shown = (slices: Iterable<StatusPlanSlice>) => [...slices].flatMap(namedIn);

  it.each([true, false])('looks at nothing else again, whatever is not written yet (in slices: %s)', (isInSlices) => {
    const { topology, planner } = planning();
    const next = () => (isInSlices ? [...planner.planInSlices()] : [planner.plan()]);
    const writes = writesIn(next());
    expect(writes).toHaveLength(2 * names.length);
    expect(namesIn(next())).toEqual([]);
    for (const write of writes.slice(0, 2)) planner.failed(write);
    expect(namesIn(next())).toEqual(['on-a', 'on-b']);
    expect(namesIn(next())).toEqual([]);
    topology.apply({ upsert: [timeouts('new', ['HTTPRoute d'], { idle: 1 })] });
    expect(namesIn(next()).sort()).toEqual(['d', 'new', 'on-d']);
  });

  it('plans a policy with a failed write in a slice about policies', () => {
    const { planner } = planning();
    const writes = writesIn([...planner.planInSlices()]);
    for (const write of writes) planner.failed(write);
    const locators = writes.map(({ locator }) => locator);
    expect(shown(planner.planInSlices()).sort()).toEqual([...locators].sort());
    expect(shown(planner.planInSlices())).toEqual([]);
  });
});

describe('StatusPlanner.startOver', () => {
  it('plans everything after startOver, like the first plan', () => {
    const { topology, effective } = cluster(TimeoutPolicy, ...resources);
    const planner = createStatusPlanner(effective, { ...options, repeat: 'after-failure' });
    const first = [...planner.planInSlices()];
    topology.apply({ upsert: [timeouts('new', ['HTTPRoute d'], { idle: 1 })] });
    planner.startOver();
    const again = [...planner.planInSlices()];
    expect(namesIn(again).sort()).toEqual([...namesIn(first), 'new'].sort());
    expect(new Set(writesIn(again).map(({ urgency }) => urgency))).toEqual(new Set(['first-plan']));
    expect(namesIn([...planner.planInSlices()])).toEqual([]);
  });

  it('forgets the omitted ancestors of deleted policies', () => {
    const gateways = Array.from({ length: 17 }, (_, index) => `g-${index}`);
    const wide = timeouts('wide', ['HTTPRoute a'], { request: 1 });
    const { topology, effective } = cluster(
      TimeoutPolicy,
      ...gateways.map((it) => gateway(it)),
      route('a', gateways),
      wide,
    );
    const planner = createStatusPlanner(effective, { ...options, affected: 'off' });
    const namesOf = (plan: Iterable<StatusPlan>) => [...new Set(namesIn([...plan]))];
    expect(namesOf(planner.planInSlices())).toEqual(['wide', 'g-9']);
    topology.apply({ remove: [locatorOf(wide)] });
    planner.startOver();
    expect(namesOf(planner.planInSlices())).toEqual([]);
  });
});
