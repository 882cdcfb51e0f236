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

  it('ignores a session persistence that is not an object', () => {
    const rules = [{ name: 'main', backendRefs, sessionPersistence: 'cookie' }];
    expect(worldOf(gateway('a/g'), route('a/r', rules), service, policy).outcomes).toEqual({ 'a/p': 'enforced' });
  });
});

// As in the tests of Istio's gateway conversion.
describe('BackendTLSPolicy on a ServiceEntry of Istio', () => {
  const entry = object('networking.istio.io/v1 ServiceEntry', 'a/e', {
    hosts: ['api.example.com'],
    ports: [
      { name: 'https', number: 443 },
      { name: 'tls', number: 8443 },
    ],
  });
  const target = { group: 'networking.istio.io', kind: 'ServiceEntry', name: 'e' };
  const tls = (name: string, sectionName?: string) =>
    object('gateway.networking.k8s.io/v1 BackendTLSPolicy', `a/${name}`, {
      targetRefs: [{ ...target, ...(sectionName === undefined ? {} : { sectionName }) }],
      validation: { hostname: name, wellKnownCACertificates: 'System' },
    });

  it('counts for one of its ports, by name, and more than a policy on the whole', () => {
    const { specs, outcomes, issues } = worldOf(entry, tls('p'), tls('q', 'tls'));
    expect(issues).toEqual([]);
    expect(outcomes).toEqual({ 'a/p': 'partly-enforced', 'a/q': 'enforced' });
    expect(specs['ServiceEntry a/e#tls']).toMatchObject({ validation: { hostname: 'q' } });
    expect(specs['ServiceEntry a/e#https']).toMatchObject({ validation: { hostname: 'p' } });
  });

  it('finds no port by number', () => {
    expect(worldOf(entry, tls('p', '443')).outcomes).toEqual({ 'a/p': 'section-not-found' });
  });
});
