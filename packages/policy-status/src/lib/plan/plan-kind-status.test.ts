import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { carryOut, gateway, resourceIn, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { planStatus } from './plan-status.ts';

const controllerName = 'example.com/gateways';
const settings = { controllerName, affected: 'all', now: new Date('2026-01-02T03:04:05Z') } as const;
const later = { ...settings, now: new Date('2026-02-02T03:04:05Z') };

/** A cluster whose Gateways and routes have statuses of their own. */
function cluster(...resources: readonly KubernetesObject[]) {
  const topology = createTopology({ targetKinds: gatewayApi({ statuses: true }), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: resources });
  return { topology, effective: effectivePolicies(topology, TimeoutPolicy) };
}

const gatewayLocator = (name: string) => `gateway.gateway.networking.k8s.io:shop/${name}`;
const routeLocator = (name: string) => `httproute.gateway.networking.k8s.io:shop/${name}`;
const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  observedGeneration: 1,
  lastTransitionTime: '2026-01-02T03:04:05Z',
});
const accepted = condition('Accepted', 'True', 'Accepted');
const resolved = condition('ResolvedRefs', 'True', 'ResolvedRefs');
const listener = (name: string, attachedRoutes: number) => ({
  name,
  attachedRoutes,
  supportedKinds: [{ kind: 'HTTPRoute' }, { kind: 'GRPCRoute' }],
  conditions: [accepted, condition('Conflicted', 'False', 'NoConflicts'), resolved],
});
const foreign = { parentRef: { name: 'a' }, controllerName: 'other.example.com/gateways', conditions: [] };

const gatewayClass = (controller: string): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'edge' },
  spec: { controllerName: controller },
});
const ofClass = (it: KubernetesObject): KubernetesObject => ({
  ...it,
  spec: { ...(it.spec as object), gatewayClassName: 'edge' },
});

describe('planStatus with kinds that have their own status', () => {
  it('writes the listeners of a Gateway and the parents of a route', () => {
    const { topology, effective } = cluster(gateway('a', ['http', 'admin']), route('r', ['a#http']));
    const { writes, refused } = planStatus(effective, settings);
    expect(refused).toEqual([]);
    expect(writes.map(({ locator }) => locator)).toEqual([gatewayLocator('a'), routeLocator('r')]);
    carryOut(topology, writes);
    expect(resourceIn(topology, gatewayLocator('a')).status).toMatchObject({
      conditions: [accepted],
      listeners: [listener('http', 1), listener('admin', 0)],
    });
    expect(resourceIn(topology, routeLocator('r')).status).toMatchObject({
      parents: [{ parentRef: { name: 'a', sectionName: 'http' }, controllerName, conditions: [accepted, resolved] }],
    });
  });

  it('plans nothing after the plan was carried out', () => {
    const { topology, effective } = cluster(gateway('a'), route('r', ['a', 'lost']), timeouts('p', ['Gateway a'], {}));
    carryOut(topology, planStatus(effective, settings).writes);
    expect(planStatus(effective, later).writes).toEqual([]);
  });

  it('puts the own status of an object and the conditions about policies into one write', () => {
    const policy = timeouts('p', ['Gateway a'], { request: 1 });
    const { topology, effective } = cluster(gateway('a'), route('r', ['a']), policy);
    const { writes } = planStatus(effective, settings);
    expect(writes.filter(({ locator }) => locator === gatewayLocator('a'))).toHaveLength(1);
    carryOut(topology, writes);
    const typesOf = (status: unknown) => (status as { conditions: { type: string }[] }).conditions.map((it) => it.type);
    const { status } = resourceIn(topology, gatewayLocator('a'));
    expect(typesOf(status)).toEqual(['Accepted', 'example.com/TimeoutPolicyAffected']);
    const [parent] = (resourceIn(topology, routeLocator('r')).status as { parents: unknown[] }).parents;
    expect(typesOf(parent)).toEqual(['Accepted', 'ResolvedRefs', 'example.com/TimeoutPolicyAffected']);
  });

  it('keeps the conditions of others, and removes entries of missing listeners and parents', () => {
    const programmed = { ...condition('Programmed', 'True', 'Programmed'), message: '' };
    const status = {
      addresses: [{ value: '10.0.0.1' }],
      conditions: [programmed],
      listeners: [
        { name: 'gone', attachedRoutes: 3, supportedKinds: [], conditions: [] },
        { name: 'https', attachedRoutes: 0, supportedKinds: [], conditions: [programmed] },
      ],
    };
    const stale = { parentRef: { name: 'gone' }, controllerName, conditions: [{ ...accepted, message: '' }] };
    const { topology, effective } = cluster(
      gateway('a', ['https'], { status }),
      route('r', ['a'], { status: { parents: [foreign, stale] } }),
    );
    carryOut(topology, planStatus(effective, settings).writes);
    expect(resourceIn(topology, gatewayLocator('a')).status).toMatchObject({
      addresses: [{ value: '10.0.0.1' }],
      conditions: [programmed, accepted],
      listeners: [{ name: 'https', attachedRoutes: 1, conditions: [programmed, accepted, {}, resolved] }],
    });
    expect(resourceIn(topology, routeLocator('r')).status).toMatchObject({
      parents: [foreign, { parentRef: { name: 'a' }, conditions: [accepted, resolved] }],
    });
  });

  it('writes the entry of a parent as a whole, over the entry of another version of the controller (X-31)', () => {
    const types = ['Audited', 'A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const conditions = types.map((type) => ({ ...condition(type, 'True', type), message: '' }));
    const parents = [
      { parentRef: { name: 'a' }, controllerName, conditions },
      { parentRef: { name: 'a' }, controllerName: foreign.controllerName, conditions },
    ];
    const { topology, effective } = cluster(gateway('a'), route('r', ['a'], { status: { parents } }));
    carryOut(topology, planStatus(effective, settings).writes);
    expect(resourceIn(topology, routeLocator('r')).status).toMatchObject({
      parents: [{ conditions: [accepted, resolved] }, parents[1]],
    });
  });

  it('changes the time of a condition only where its status flips, and a count alone where only that differs', () => {
    const { topology, effective } = cluster(gateway('a'), route('r', ['a']));
    carryOut(topology, planStatus(effective, settings).writes);
    topology.apply({ upsert: [route('s', ['a'])] });
    const [ofGateway, ofRoute] = planStatus(effective, later).writes;
    expect(ofGateway?.patch.slice(1)).toEqual([
      { op: 'replace', path: '/status/listeners/0/attachedRoutes', value: 2 },
    ]);
    expect(JSON.stringify(ofRoute?.patch)).toContain('2026-02-02T03:04:05Z');
  });

  it('applies exactly the fields that it owns', () => {
    const { effective } = cluster(gateway('a', ['https'], { status: { addresses: [], listeners: [] } }));
    const [write] = planStatus(effective, settings).writes;
    expect(write?.apply.status).toMatchObject({ conditions: [accepted], listeners: [listener('https', 0)] });
    expect(Object.keys(write?.apply.status ?? {})).toEqual(['conditions', 'listeners']);
  });

  it('writes to no Gateway of another controller’s class, nor about it to routes', () => {
    const resources = [ofClass(gateway('a')), gateway('b'), route('r', ['a', 'b'])];
    const parentsWith = (controller: string) => {
      const { topology, effective } = cluster(...resources, gatewayClass(controller));
      const { writes } = planStatus(effective, settings);
      carryOut(topology, writes);
      const { parents } = resourceIn(topology, routeLocator('r')).status as { parents: { parentRef: unknown }[] };
      return [writes.map(({ locator }) => locator), parents.map(({ parentRef }) => parentRef)];
    };
    expect(parentsWith('other.example.com/gateways')).toEqual([
      [gatewayLocator('b'), routeLocator('r')],
      [{ name: 'b' }],
    ]);
    expect(parentsWith(controllerName)).toEqual([
      [gatewayLocator('a'), gatewayLocator('b'), routeLocator('r')],
      [{ name: 'a' }, { name: 'b' }],
    ]);
  });

  it('writes nothing of parents that are not there', () => {
    const { effective } = cluster(route('r', ['lost']));
    expect(planStatus(effective, settings).writes).toEqual([]);
  });

  it('supports conditions of any kind', () => {
    const Bucket = defineTargetKind({
      group: 'example.com',
      kind: 'Bucket',
      status: {
        of: ({ linksFrom }) => ({
          conditions: [{ type: 'Used', status: 'True', reason: 'Used', message: 'A route leads here.' }],
          fields: { users: linksFrom.length },
        }),
      },
    });
    const topology = createTopology({ targetKinds: [...gatewayApi(), Bucket], policyKinds: [TimeoutPolicy] });
    const bucket = { apiVersion: 'example.com/v1', kind: 'Bucket', metadata: { name: 'b', namespace: 'shop' } };
    topology.apply({ upsert: [bucket] });
    const [write] = planStatus(effectivePolicies(topology, TimeoutPolicy), settings).writes;
    expect(write?.result.status).toMatchObject({ users: 0, conditions: [{ type: 'Used', reason: 'Used' }] });
  });
});
