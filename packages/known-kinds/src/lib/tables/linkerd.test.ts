import { describe, expect, it } from 'vitest';
import { gateway, object, route, worldOf } from './world.fixture.ts';

const gatewayApi = 'gateway.networking.k8s.io';
const onServer = { group: 'policy.linkerd.io', kind: 'Server', name: 's' };
const server = object('policy.linkerd.io/v1beta3 Server', 'a/s', { podSelector: {}, port: 80 });
const service = object('v1 Service', 'a/svc', { ports: [{ port: 80 }] });
const policy = (name: string, targetRef: object) =>
  object('policy.linkerd.io/v1alpha1 AuthorizationPolicy', `a/${name}`, { targetRef, requiredAuthenticationRefs: [] });
const below = (parent: object) => ({ parentRefs: [parent], rules: [{}] });

describe('routes of Linkerd', () => {
  it.each(['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1'])('are of the same group, in version %s', (version) => {
    const own = object(`policy.linkerd.io/${version} HTTPRoute`, 'a/r', below(onServer));
    const { outcomes } = worldOf(
      server,
      own,
      policy('p', { group: 'policy.linkerd.io', kind: 'HTTPRoute', name: 'r' }),
    );
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it.each([
    ['HTTPRoute', 'a Server', onServer],
    ['GRPCRoute', 'a Server', onServer],
    ['HTTPRoute', 'a Service', { group: '', kind: 'Service', name: 'svc', port: 80 }],
    ['HTTPRoute', 'a Service, whose group is written core', { group: 'core', kind: 'Service', name: 'svc', port: 80 }],
    ['GRPCRoute', 'a Service, whose group is written core', { group: 'core', kind: 'Service', name: 'svc' }],
  ])('are %ss below %s, beside any Gateway', (kind, _, parent) => {
    const of = object(`${gatewayApi}/v1 ${kind}`, 'a/r', below(parent));
    const others = [gateway('a/g'), route('a/other'), server, service];
    const { outcomes } = worldOf(...others, of, policy('p', { group: gatewayApi, kind, name: 'r' }));
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it('are not below a Service of a group that is not known', () => {
    const of = object(`${gatewayApi}/v1 HTTPRoute`, 'a/r', below({ group: 'cor', kind: 'Service', name: 'svc' }));
    const { outcomes } = worldOf(service, of, policy('p', { group: gatewayApi, kind: 'HTTPRoute', name: 'r' }));
    expect(outcomes).toEqual({ 'a/p': 'not-in-any-path' });
  });
});

describe('a Namespace as a target of Linkerd', () => {
  it.each([
    ['is there if any object is in it', 'a', { 'a/p': 'enforced' }],
    ['is out of reach if it is not the own one', 'b', { 'a/p': 'reference-not-permitted' }],
  ])('%s', (_, name, expected) => {
    expect(worldOf(server, policy('p', { kind: 'Namespace', name })).outcomes).toEqual(expected);
  });

  it('is reported with advice that the author of the policy can follow', () => {
    const { issues } = worldOf(server, policy('p', { kind: 'Namespace', name: 'b' }));
    expect(issues.map(({ message }) => message)).toEqual([
      'targets Namespace b, and AuthorizationPolicy may target its own namespace only; move the policy to b',
    ]);
  });
});
