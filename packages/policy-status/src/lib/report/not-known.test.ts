import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, route, TimeoutPolicy, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { planStatus } from '../plan/plan-status.ts';
import { reportPolicies } from './policy-report.ts';

/** Returns the outcome and message of policy `p` in a topology that is given everything, and in one that is given a part. */
function reports(resources: readonly KubernetesObject[], kind: PolicyKind<unknown> = TimeoutPolicy) {
  return [true, false].map((isWhole) => {
    const effective = effectiveIn(resources, kind, isWhole);
    const report = reportPolicies(effective).find(({ policy }) => policy.resource.metadata.name === 'p');
    return { outcome: report?.outcome, message: report?.message };
  });
}

function effectiveIn(resources: readonly KubernetesObject[], kind: PolicyKind<unknown>, isWhole: boolean) {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kind], isComplete: () => isWhole });
  topology.apply({ upsert: resources });
  return effectivePolicies(topology, kind);
}

const edge = gateway('edge');
const p = (...targets: readonly string[]) => timeouts('p', targets, { request: 1 }, { seconds: 9 });

/** A kind with an effect on the ports of Services. */
const BackendPolicy = timeoutKind('TimeoutPolicy', {
  targets: [HTTPRoute, Service, Service.sections.port],
  effectiveTargets: [Service.sections.port],
});

const routeTo = (...backends: readonly string[]): KubernetesObject => ({
  ...route('cart', ['edge']),
  spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: backends.map((name) => ({ name, port: 80 })) }] },
});
const service = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
  spec: { ports: [{ port: 80 }] },
});

describe('a report about a topology that is given a part of the resources', () => {
  it.each<[string, string, readonly KubernetesObject[], RegExp]>([
    ['a target', 'target-not-found', [p('HTTPRoute cart')], /targets HTTPRoute shop\/cart, which is not in this input/],
    [
      'routes below a target',
      'not-in-any-path',
      [edge, p('Gateway edge')],
      /^Whether Gateway shop\/edge has targets .* not known/,
    ],
    [
      'a Gateway above a target',
      'not-in-any-path',
      [route('cart', ['edge']), p('HTTPRoute cart')],
      /^Whether a path leads to HTTPRoute/,
    ],
  ])('is undecided without %s, otherwise %s', (_, otherwise, resources, message) => {
    expect(reports(resources)).toEqual([
      { outcome: otherwise, message: expect.any(String) },
      { outcome: 'undecided', message: expect.stringMatching(message) },
    ]);
  });

  it('is decided by parents that refuse a target', () => {
    const closed: KubernetesObject = {
      ...edge,
      spec: {
        listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'None' } } }],
      },
    };
    const [whole, part] = reports([closed, route('cart', ['edge']), p('HTTPRoute cart')]);
    expect(whole).toMatchObject({ outcome: 'not-in-any-path' });
    expect(part).toEqual(whole);
  });

  it('is undecided if a policy has lost all scopes, and further ones may exist', () => {
    const own = timeouts('a', ['Service s'], { overrides: { request: 2 } }, { seconds: 1 });
    const lost = [edge, service('s'), own, p('HTTPRoute cart')];
    expect(reports([...lost, routeTo('s')], BackendPolicy).map(({ outcome }) => outcome)).toEqual([
      'overridden',
      'overridden',
    ]);
    expect(reports([...lost, routeTo('s', 't')], BackendPolicy)).toEqual([
      { outcome: 'overridden', message: expect.any(String) },
      {
        outcome: 'undecided',
        message:
          'Not known in all scopes: HTTPRoute shop/cart#rule-1 refers to Service shop/t, which is not in this input.',
      },
    ]);
  });

  it('is undecided if a policy has lost all scopes, and a route may have further parents', () => {
    const own = timeouts('a', ['Gateway edge'], { overrides: { request: 2 } }, { seconds: 1 });
    const resources = [edge, route('cart', ['edge', 'other']), own, p('HTTPRoute cart')];
    expect(reports(resources)).toEqual([
      { outcome: 'overridden', message: expect.any(String) },
      {
        outcome: 'undecided',
        message: expect.stringContaining('refers to Gateway shop/other, which is not in this input'),
      },
    ]);
  });

  it('changes with a target behind an undecided link, though other targets have the same scopes', () => {
    const at = (name: string, hostname: string, seconds: number): KubernetesObject => {
      const { metadata, ...plain } = route(name, ['edge']);
      const spec = { parentRefs: [{ name: 'edge' }], hostnames: [hostname], rules: [{}] };
      return { ...plain, metadata: { ...metadata, creationTimestamp: `2026-01-01T00:00:0${seconds}Z` }, spec };
    };
    const grpc = { ...at('grpc', 'a.example.com', 1), kind: 'GRPCRoute' };
    const effective = effectiveIn(
      [edge, grpc, at('plain', 'b.example.com', 2), p('Gateway edge')],
      TimeoutPolicy,
      true,
    );
    const undecided = () => {
      const groups = effective.policies.flatMap(({ node }) => effective.reachInGroups(node.locator));
      return groups.filter(({ undecidedLink }) => undecidedLink !== undefined).length;
    };
    expect(undecided()).toBe(0);
    effective.takeChanges();
    effective.topology.apply({ upsert: [at('cart', 'a.example.com', 3)] }); // Some systems refuse a host that routes of two kinds share.
    expect(undecided()).toBeGreaterThan(0);
    expect(effective.takeChanges().policies).toEqual([expect.stringMatching(/\/p$/)]);
    effective.topology.apply({ remove: [at('cart', 'a.example.com', 3)] });
    expect(undecided()).toBe(0);
    expect(effective.takeChanges().policies).toEqual([expect.stringMatching(/\/p$/)]);
  });

  it('counts scopes in force, whatever else is undecided', () => {
    const resources = [edge, route('cart', ['edge']), p('HTTPRoute cart', 'HTTPRoute gone')];
    expect(reports(resources)).toEqual([
      { outcome: 'partly-enforced', message: expect.any(String) },
      { outcome: 'enforced', message: expect.stringContaining('HTTPRoute shop/gone, which is not in this input') },
    ]);
  });
});

describe('planStatus of a topology that is given a part of the resources', () => {
  it('leaves the status of a policy with an unknown outcome alone', () => {
    const options = { controllerName: 'example.com/c', now: new Date() };
    const plans = [true, false].map((isWhole) =>
      planStatus([effectiveIn([p('HTTPRoute cart')], TimeoutPolicy, isWhole)], options),
    );
    expect(plans.map(({ writes, refused }) => [writes.length, refused.length])).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });
});

describe('a report about a topology with routes that a controller creates', () => {
  const { group, kind } = HTTPRoute;
  const ChatRoute = defineTargetKind({
    group: 'example.com',
    kind: 'ChatRoute',
    references: () => [{ direction: 'up', to: { group, kind: 'Gateway', name: 'edge' }, pointer: '/spec' }],
    creates: ({ metadata: { name } }) => [{ group, kind, name }],
  });
  const chat = { apiVersion: 'example.com/v1', kind: 'ChatRoute', metadata: { name: 'chat', namespace: 'shop' } };
  const reportOf = (policyKind: PolicyKind<unknown>, ...resources: readonly KubernetesObject[]) => {
    const topology = createTopology({ targetKinds: [...gatewayApi(), ChatRoute], policyKinds: [policyKind] });
    topology.apply({ upsert: [edge, chat, ...resources] });
    const [report] = reportPolicies(effectivePolicies(topology, policyKind));
    return { outcome: report?.outcome, message: report?.message };
  };
  const elsewhere = { ...routeTo('s'), spec: { ...(routeTo('s').spec as object), parentRefs: [{ name: 'other' }] } };
  const created = 'HTTPRoute shop/chat, which a controller creates for ChatRoute shop/chat, is not in this input';

  it.each<[string, PolicyKind<unknown>, readonly KubernetesObject[], string]>([
    [
      'targets one',
      TimeoutPolicy,
      [p('HTTPRoute chat')],
      'targets HTTPRoute shop/chat, which a controller creates for ChatRoute shop/chat.',
    ],
    ['targets a Gateway above them', TimeoutPolicy, [p('Gateway edge')], created],
    ['targets a Service that they may lead to', BackendPolicy, [elsewhere, service('s'), p('Service s')], created],
  ])('is undecided, with the creator, if the policy %s', (_, policyKind, resources, message) => {
    expect(reportOf(policyKind, ...resources)).toEqual({
      outcome: 'undecided',
      message: expect.stringContaining(message),
    });
  });

  it('is decided once the routes are given', () => {
    const { outcome } = reportOf(TimeoutPolicy, route('chat', ['edge']), p('HTTPRoute chat'));
    expect(outcome).toBe('enforced');
  });
});
