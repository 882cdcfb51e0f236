import { effectivePolicies } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.ts';
import { AuthorizationPolicy, HTTPLocalRateLimitPolicy } from './policy-kinds.ts';

const server = (name: string) => `server.policy.linkerd.io:voting/${name}`;

describe('AuthorizationPolicy', () => {
  it('counts for its Server, and for all Servers of its namespace, beside all others (O-05)', async () => {
    const effective = effectivePolicies(await cluster(), AuthorizationPolicy);
    const namesOn = (name: string) => effective.of(server(name)).map(({ spec }) => Object.keys(spec.policies ?? {}));
    expect(namesOn('web-admin')).toEqual([['voting/kubelet']]);
    expect(namesOn('web-http')).toEqual([['voting/kubelet', 'voting/ingress', 'voting/vote-bot']]);
  });

  it('does not have an effect without a target', async () => {
    const topology = await cluster();
    const [{ resource } = { resource: undefined }] = topology.policies(AuthorizationPolicy);
    if (resource === undefined) throw new Error('no policy');
    topology.apply({ upsert: [{ ...resource, spec: { requiredAuthenticationRefs: [] } }] });
    expect(topology.issues.map(({ pointer }) => pointer)).toEqual(['/spec/targetRef']);
  });
});

describe('HTTPLocalRateLimitPolicy', () => {
  it('counts if it is the oldest one of its Server, and is otherwise in conflict (O-06)', async () => {
    const effective = effectivePolicies(await cluster(), HTTPLocalRateLimitPolicy);
    expect(effective.of(server('web-http')).map(({ spec }) => spec.total?.requestsPerSecond)).toEqual([100]);
    const outcomes = reportPolicies(effective).map(({ policy, outcome }) => [policy.resource.metadata.name, outcome]);
    expect(outcomes).toEqual([
      ['web', 'enforced'],
      ['web-more', 'conflicted'],
    ]);
  });
});
