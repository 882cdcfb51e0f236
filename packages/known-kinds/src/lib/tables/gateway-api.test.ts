import { describe, expect, it } from 'vitest';
import { gateway, object, route, worldOf } from './world.fixture.ts';

const service = object('v1 Service', 'a/s', { ports: [{ port: 80 }] });
const backendRefs = [{ name: 's', port: 80 }];
const [cookie, header] = ['Cookie', 'Header'].map((type) => ({ type, sessionName: 'session' }));
const retryConstraint = { minRetryRate: { count: 3, interval: '1s' } };
const policy = object('gateway.networking.x-k8s.io/v1alpha1 XBackendTrafficPolicy', 'a/p', {
  targetRefs: [{ group: '', kind: 'Service', name: 's' }],
  sessionPersistence: cookie,
  retryConstraint,
});

describe('XBackendTrafficPolicy (GEP-1619, GEP-3388)', () => {
  it("yields to a rule's session persistence for the requests of that rule", () => {
    const rules = [
      { name: 'main', backendRefs, sessionPersistence: header },
      { name: 'other', backendRefs },
    ];
    const { specs, outcomes, effective } = worldOf(gateway('a/g'), route('a/r', rules), service, policy);
    expect(specs).toEqual({
      'Service a/s': { sessionPersistence: header, retryConstraint },
      'Service a/s (2)': { sessionPersistence: cookie, retryConstraint },
    });
    expect(outcomes).toEqual({ 'a/p': 'partly-enforced' });
    const origins = effective.map((it) => it.originOf('/sessionPersistence')?.policy.name);
    expect(origins).toEqual(['a/r', 'a/p']);
  });

  it('is overridden if every rule sets it, and enforced if none does', () => {
    const outcomesWith = (sessionPersistence?: object) => {
      const rules = [
        { name: 'main', backendRefs, ...(sessionPersistence === undefined ? {} : { sessionPersistence }) },
      ];
      const { retryConstraint: _, ...spec } = policy.spec as { readonly retryConstraint: object };
      return worldOf(gateway('a/g'), route('a/r', rules), service, { ...policy, spec }).outcomes;
    };
    expect(outcomesWith(header)).toEqual({ 'a/p': 'overridden' });
    expect(outcomesWith()).toEqual({ 'a/p': 'enforced' });
  });

  it('ignores a session persistence that is no object', () => {
    const rules = [{ name: 'main', backendRefs, sessionPersistence: 'cookie' }];
    expect(worldOf(gateway('a/g'), route('a/r', rules), service, policy).outcomes).toEqual({ 'a/p': 'enforced' });
  });
});
