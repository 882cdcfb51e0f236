import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, Namespace } from '@policy-machinery/gateway-api';
import { groupKindKey, groupKindOf, type KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { planStatus } from './plan-status.ts';
import type { StatusPlan } from './status-plan.ts';
import { createStatusPlanner } from './status-planner.ts';

const controllerName = 'example.com/gateways';
const now = new Date('2026-01-02T03:04:05Z');

const kinds = ['TimeoutPolicy', 'RetryPolicy'].map((kind) => timeoutKind(kind));
const retries = (name: string, target: string) => timeouts(name, [target], { idle: 1 }, { kind: 'RetryPolicy' });
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const grant = {
  apiVersion: 'gateway.networking.k8s.io/v1beta1',
  kind: 'ReferenceGrant',
  metadata: { name: 'g', namespace: 'shop' },
  spec: { from: [], to: [] },
};
const resources = [
  ...[namespace, grant, gateway('edge'), route('cart', ['edge'])],
  ...[timeouts('p', ['Gateway edge'], { request: 1 }), retries('q', 'HTTPRoute cart')],
];

/** A topology, its status planner, and a way to list kinds as a cluster has them. */
function controlled(cluster: readonly KubernetesObject[], policyKinds = kinds) {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds });
  const views = policyKinds.map((kind) => effectivePolicies(topology, kind));
  const planner = createStatusPlanner(views, { controllerName, affected: 'all', now: () => now });
  const list = (isListed: (kind: string) => boolean): void => {
    for (const kind of topology.requiredKinds) {
      const isOfKind = (it: KubernetesObject) => groupKindKey(groupKindOf(it)) === groupKindKey(kind);
      if (isListed(kind.kind)) topology.replace(kind, cluster.filter(isOfKind));
    }
  };
  return { topology, planner, list, planNow: () => planStatus(views, { controllerName, affected: 'all', now }) };
}

/** The same cluster with its statuses as they should be. */
function settled(): readonly KubernetesObject[] {
  const { list, planNow } = controlled(resources);
  list(() => true);
  const results = new Map(planNow().writes.map(({ ref, result }) => [`${ref.kind} ${ref.name}`, result]));
  return resources.map((it) => results.get(`${it.kind} ${it.metadata.name}`) ?? it);
}

const allKinds = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds }).requiredKinds.map(
  ({ kind }) => kind,
);
const namesIn = ({ writes }: StatusPlan) => writes.map(({ ref }) => ref.name);
const missingIn = ({ incomplete }: StatusPlan) => incomplete?.map(({ kind }) => kind);

describe('a plan for a topology with an unlisted kind', () => {
  it.each(allKinds)('takes nothing away from a settled cluster, and says that the kind is missing: %s', (missing) => {
    const { list, planner, planNow } = controlled(settled());
    list((kind) => kind !== missing);
    for (const plan of [planNow(), planner.plan()]) expect([namesIn(plan), missingIn(plan)]).toEqual([[], [missing]]);
  });

  it.each(allKinds)('is made up for by the planner when the kind is listed: %s', (missing) => {
    const { topology, list, planner } = controlled(resources);
    list((kind) => kind !== missing);
    const early = planner.plan();
    topology.apply({ upsert: early.writes.map(({ result }) => result) });
    list((kind) => kind === missing);
    const late = planner.plan();
    expect(missingIn(late)).toBeUndefined();
    expect([...new Set([...namesIn(early), ...namesIn(late)])].sort()).toEqual(['cart', 'edge', 'p', 'q']);
  });

  it('leaves the writes of earlier changes as urgent as they were, when another kind is listed', () => {
    const { topology, list, planner } = controlled(resources);
    list((kind) => kind !== 'RetryPolicy');
    for (const write of planner.plan().writes) planner.done(write);
    topology.apply({ upsert: [timeouts('late', ['HTTPRoute cart'], { request: 2 })] });
    const urgencies = () => Object.fromEntries(planner.plan().writes.map(({ ref, urgency }) => [ref.name, urgency]));
    expect(urgencies()).toMatchObject({ late: 'outcome' });
    list((kind) => kind === 'RetryPolicy');
    expect(urgencies()).toMatchObject({ late: 'outcome', q: 'first-plan' });
  });

  it('is made for the policies of other kinds, where a kind of policies is missing', () => {
    const { list, planNow } = controlled(resources);
    list((kind) => kind !== 'RetryPolicy');
    expect(namesIn(planNow())).toEqual(['p', 'edge', 'cart']);
  });

  it('waits for kinds of the same name, which share their conditions', () => {
    const others = [timeoutKind('TimeoutPolicy'), timeoutKind('TimeoutPolicy', { group: 'other.example.com' })];
    const { topology, list, planNow } = controlled(resources, others);
    list(() => true);
    expect(namesIn(planNow())).toEqual(['p', 'edge', 'cart']);
    const late = createTopology({ targetKinds: gatewayApi(), policyKinds: others });
    for (const kind of topology.requiredKinds) if (kind.group !== 'other.example.com') late.replace(kind, []);
    const views = others.map((kind) => effectivePolicies(late, kind));
    expect(planStatus(views, { controllerName, now }).incomplete?.map(({ group }) => group)).toEqual([
      'other.example.com',
    ]);
  });

  it('is complete for a topology that has only been given changes', () => {
    const { topology, planNow } = controlled(resources);
    topology.apply({ upsert: resources });
    expect([namesIn(planNow()), missingIn(planNow())]).toEqual([['p', 'q', 'edge', 'cart'], undefined]);
  });

  it('continues with changes from before the first list', () => {
    const { topology, list, planner } = controlled(resources);
    topology.apply({ upsert: resources });
    const { writes } = planner.plan();
    topology.replace(Namespace, [namespace]);
    const changed = timeouts('r', ['HTTPRoute cart'], { overrides: { idle: 2 } });
    topology.apply({ upsert: [changed] });
    expect(namesIn(planner.plan())).toEqual([]);
    list((kind) => kind !== 'TimeoutPolicy');
    topology.replace({ group: 'example.com', kind: 'TimeoutPolicy' }, [
      ...resources.filter(({ kind }) => kind === 'TimeoutPolicy'),
      changed,
    ]);
    expect(namesIn(planner.plan())).toEqual(['p', 'r', 'q', 'edge', 'cart']);
    expect(writes).toHaveLength(4);
  });
});
