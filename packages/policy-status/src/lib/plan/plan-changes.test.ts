import { type EffectivePoliciesOptions, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology, type TopologyChange } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { planStatus } from './plan-status.ts';
import type { StatusPlan } from './status-plan.ts';

const settings = {
  controllerName: 'example.com/gateways',
  affected: 'all',
  now: new Date('2026-01-02T03:04:05Z'),
} as const;

/** A cluster with accurate statuses, and a way to change it, which returns the plan of the changes and a fresh plan. */
function followed(
  resources: readonly KubernetesObject[],
  kinds: readonly ReturnType<typeof timeoutKind>[] = [TimeoutPolicy],
  limits: EffectivePoliciesOptions = {},
) {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds });
  topology.apply({ upsert: resources });
  const viewsAfresh = () => kinds.map((kind) => effectivePolicies(topology, kind, limits));
  const views = viewsAfresh();
  const carryOut = ({ writes }: StatusPlan): void => {
    topology.apply({ upsert: writes.map(({ result }) => result) });
    for (const view of views) view.takeChanges();
  };
  carryOut(planStatus(views, settings));
  return (change: TopologyChange) => {
    topology.apply(change);
    const plan = planStatus(views, { ...settings, changes: views.map((view) => view.takeChanges()) });
    const afresh = planStatus(viewsAfresh(), settings);
    carryOut(afresh);
    return [plan, afresh].map(({ writes }) => writes.map(({ locator, patch }) => ({ locator, patch })));
  };
}

const many = Array.from({ length: 20 }, (_, index) => gateway(`g${index + 10}`));
const names = many.map(({ metadata }) => metadata.name);
const last = 'gateway.gateway.networking.k8s.io:shop/g29';

describe('planStatus with changes plans the same as a plan of everything', () => {
  it('if contexts become too many, and few again', () => {
    const on = (name: string, target: string) => timeouts(name, [`Gateway ${target}`], { defaults: { request: 1 } });
    const resources = [gateway('a'), gateway('b'), route('r', ['a']), on('pa', 'a'), on('pb', 'b')];
    const change = followed(resources, [TimeoutPolicy], { maxContexts: 1 });
    for (const parents of [['a', 'b'], ['a']]) {
      const [plan, afresh] = change({ upsert: [route('r', parents)] });
      expect(plan).toEqual(afresh);
      expect(plan?.length).toBeGreaterThan(1);
    }
  });

  it("where an ancestor does not fit into a policy's status, and comes again", () => {
    const change = followed([...many, route('r', names), timeouts('p', ['HTTPRoute r'], { request: 1 })]);
    change({ remove: [last] });
    const [plan, afresh] = change({ upsert: [gateway('g29')] });
    expect(plan).toEqual(afresh);
    expect(plan?.map(({ locator }) => locator)).toContain(last);
  });

  it('where an ancestor does not fit into statuses of policies of two kinds with one name (S-10)', () => {
    const Other = timeoutKind('TimeoutPolicy', { group: 'other.example.com' });
    const first = timeouts('first', ['HTTPRoute r'], { request: 1 });
    const second = { ...timeouts('second', ['HTTPRoute r'], { request: 2 }), apiVersion: 'other.example.com/v1' };
    const change = followed([...many, route('r', names)], [TimeoutPolicy, Other]);
    change({ upsert: [first] });
    const [plan, afresh] = change({ upsert: [second] });
    expect(plan).toEqual(afresh);
    const written = plan?.find(({ locator }) => locator === last);
    expect(JSON.stringify(written?.patch)).toContain('shop/first, shop/second');
  });

  it('when an overridden policy begins to set a field, continues to, and ceases to', () => {
    const onGateway = (spec: object) => timeouts('pg', ['Gateway a'], { defaults: spec }, { seconds: 1 });
    const onRoute = timeouts('pr', ['HTTPRoute r'], { request: 2 }, { seconds: 2 });
    const change = followed([gateway('a'), route('r', ['a']), onGateway({ request: 1 }), onRoute]);
    const isNamed = [{ request: 1, idle: 1 }, { request: 1, idle: 3 }, { request: 3 }].map((spec) => {
      const [plan, afresh] = change({ upsert: [onGateway(spec)] });
      expect(plan).toEqual(afresh);
      return plan?.some(({ locator }) => locator.startsWith('httproute.'));
    });
    expect(isNamed).toEqual([true, false, true]);
  });

  it('if policies on one path are edited at once, and edited again', () => {
    const onGateway = (spec: object) => timeouts('pg', ['Gateway a'], { defaults: spec }, { seconds: 1 });
    const onRoute = (spec: object) => timeouts('pr', ['HTTPRoute r'], { defaults: spec }, { seconds: 2 });
    const change = followed([
      ...[gateway('a'), gateway('b'), route('r', ['a', 'b']), route('s', ['a'])],
      ...[onGateway({ request: 1 }), onRoute({ request: 2 })],
    ]);
    const isNamed = [
      [{ idle: 1 }, { request: 2 }],
      [{ idle: 2 }, { idle: 3 }],
      [{ idle: 2 }, { request: 3 }],
    ].map(([ofGateway = {}, ofRoute = {}]) => {
      const [plan, afresh] = change({ upsert: [onGateway(ofGateway), onRoute(ofRoute)] });
      expect(plan).toEqual(afresh);
      return plan?.some(({ locator }) => locator.startsWith('httproute.'));
    });
    expect(isNamed).toEqual([true, true, true]);
  });
});

describe('takeChanges', () => {
  it('returns no object if a policy changes a value and still sets the same fields', () => {
    const onGateway = (request: number) => timeouts('pg', ['Gateway a'], { request }, { seconds: 1 });
    const { topology, effective } = cluster(TimeoutPolicy, gateway('a'), route('r', ['a']), onGateway(1));
    planStatus(effective, settings);
    topology.apply({ upsert: [onGateway(2)] });
    const { targets, policies, affectedObjects } = effective.takeChanges();
    expect(targets.length).toBeGreaterThan(0);
    expect(policies).toEqual([locatorOf(onGateway(2))]);
    expect(affectedObjects).toEqual([]);
  });

  it('returns only the objects on the way to where a policy begins to set something', () => {
    const onGateway = (spec: object) => timeouts('pg', ['Gateway a'], { defaults: spec }, { seconds: 1 });
    const onRoute = timeouts('pr', ['HTTPRoute r'], { defaults: { request: 2 } }, { seconds: 2 });
    const routes = [route('r', ['a', 'b']), route('s', ['a'])];
    const resources = [gateway('a'), gateway('b'), ...routes, onGateway({ request: 1 }), onRoute];
    const { topology, effective } = cluster(TimeoutPolicy, ...resources);
    planStatus(effective, settings);
    topology.apply({ upsert: [onGateway({ request: 1, idle: 1 })] });
    const { affectedObjects } = effective.takeChanges();
    expect(affectedObjects).toEqual([locatorOf(gateway('a')), locatorOf(route('r', []))]);
  });
});
