import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, linksOf, namespace, referenceGrant, route, service } from './gateway-api.fixture.ts';

/*
 * Situations of Gateway API's conformance tests, in our own words: who is linked, and the reason of who is
 * not.
 */

const infra = 'infra';
const backend = (name: string, inNamespace = infra) => service(name, [{ port: 8080 }], inNamespace);
const toBackend = (name: string, inNamespace?: string) => ({
  backendRefs: [{ name, port: 8080, ...(inNamespace === undefined ? {} : { namespace: inNamespace }) }],
});
const sameNamespace = gateway(
  'same-namespace',
  { listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Same' } } }] },
  infra,
);
const allNamespaces = gateway(
  'all-namespaces',
  { listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } }] },
  infra,
);
const backendNamespaces = gateway(
  'backend-namespaces',
  {
    listeners: [
      {
        name: 'http',
        port: 80,
        protocol: 'HTTP',
        allowedRoutes: { namespaces: { from: 'Selector', selector: { matchLabels: { tier: 'backend' } } } },
      },
    ],
  },
  infra,
);
const web = namespace('web', { tier: 'backend' });
const other = namespace('other', { tier: 'frontend' });

const told = (...resources: readonly KubernetesObject[]) => {
  const topology = cluster(...resources);
  const above = linksOf(topology).filter((link) => link.startsWith('Gateway '));
  const below = linksOf(topology).filter((link) => !link.startsWith('Gateway '));
  return {
    parents: above.map((link) => link.replace(/^Gateway infra\/| > .*/g, '')),
    backends: below.map((link) => link.replace(/^.* > Service /, '')),
    refused: topology.refused.map(({ reason }) => reason),
    missing: topology.unresolved.map(({ missing }) => missing),
  };
};
const nothing = { parents: [], backends: [], refused: [], missing: [] };
const httpRoute = (spec: object, inNamespace = infra) => route('HTTPRoute', 'r', spec, inNamespace);

describe('conformance situations', () => {
  it('a simple route in the namespace of its Gateway', () => {
    const spec = { parentRefs: [{ name: 'same-namespace' }], rules: [toBackend('v1')] };
    expect(told(sameNamespace, httpRoute(spec), backend('v1'))).toEqual({
      ...nothing,
      parents: ['same-namespace#http'],
      backends: ['infra/v1#8080'],
    });
  });

  it('a route in another namespace than its Gateway, by All, by Selector, and refused by Same', () => {
    const parentRefs = [allNamespaces, backendNamespaces, sameNamespace].map(({ metadata: { name } }) => ({
      name,
      namespace: infra,
    }));
    const gateways = [allNamespaces, backendNamespaces, sameNamespace];
    expect(told(...gateways, web, httpRoute({ parentRefs }, 'web'))).toEqual({
      ...nothing,
      parents: ['all-namespaces#http', 'backend-namespaces#http'],
      refused: ['NotAllowedByListeners'],
    });
    expect(told(...gateways, other, httpRoute({ parentRefs }, 'other'))).toEqual({
      ...nothing,
      parents: ['all-namespaces#http'],
      refused: ['NotAllowedByListeners', 'NotAllowedByListeners'],
    });
  });

  it('a route to a section or a port that its Gateway does not have', () => {
    for (const part of [{ sectionName: 'lost' }, { port: 81 }, { sectionName: 'http', port: 81 }]) {
      expect(told(sameNamespace, httpRoute({ parentRefs: [{ name: 'same-namespace', ...part }] }))).toEqual({
        ...nothing,
        missing: ['gateway.gateway.networking.k8s.io:infra/same-namespace#?'],
      });
    }
  });

  it('a route that names one listener by section and one by port, with others that it could have', () => {
    const listener = (name: string, port: number) => ({ name, port, protocol: 'HTTP' });
    const several = gateway('several', { listeners: [listener('a', 80), listener('b', 81), listener('c', 82)] }, infra);
    const parentRefs = [
      { name: 'several', sectionName: 'a' },
      { name: 'several', port: 82 },
    ];
    expect(told(several, httpRoute({ parentRefs }))).toEqual({ ...nothing, parents: ['several#a', 'several#c'] });
  });

  it('a route below one of two listeners with hostnames, by its own hostnames', () => {
    const listener = (name: string, hostname?: string) => ({ name, port: 80, protocol: 'HTTP', hostname });
    const hosts = gateway(
      'hosts',
      {
        listeners: [
          listener('exact', 'very.specific.com'),
          listener('wild', '*.wildcard.io'),
          listener('other', '*.anotherwildcard.io'),
        ],
      },
      infra,
    );
    const linked = (...hostnames: readonly string[]) =>
      told(hosts, httpRoute({ parentRefs: [{ name: 'hosts' }], hostnames }));
    expect(
      linked('non.matching.com', '*.nonmatchingwildcard.io', 'foo.wildcard.io', 'very.specific.com').parents,
    ).toEqual(['hosts#exact', 'hosts#wild']);
    expect(linked('*.specific.com').parents).toEqual(['hosts#exact']);
    expect(linked('specific.but.wrong.com', 'wildcard.io')).toEqual({
      ...nothing,
      refused: Array(3).fill('NoMatchingListenerHostname'),
    });
  });

  it('routes to a listener that takes other kinds only', () => {
    const allowedRoutes = { kinds: [{ kind: 'HTTPRoute' }] };
    const one = gateway('one', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes }] }, infra);
    const spec = { parentRefs: [{ name: 'one' }] };
    expect(told(one, httpRoute(spec)).parents).toEqual(['one#http']);
    expect(told(one, route('GRPCRoute', 'r', spec, infra)).refused).toEqual(['NotAllowedByListeners']);
    expect(told(one, route('TCPRoute', 'r', spec, infra)).refused).toEqual(['NotAllowedByListeners']);
  });

  it('a route to a Service of another namespace, without a grant, with one, and with one for another Service', () => {
    const spec = { rules: [toBackend('v1', 'web')] };
    const from = [{ kind: 'HTTPRoute', namespace: infra }];
    const services = { group: '', kind: 'Service' };
    const withGrant = (...to: readonly object[]) =>
      told(httpRoute(spec), backend('v1', 'web'), ...(to.length === 0 ? [] : [referenceGrant('web', from, to)]));
    expect(withGrant()).toEqual({ ...nothing, refused: ['RefNotPermitted'] });
    expect(withGrant(services)).toEqual({ ...nothing, backends: ['web/v1#8080'] });
    expect(withGrant({ ...services, name: 'v1' })).toEqual({ ...nothing, backends: ['web/v1#8080'] });
    expect(withGrant({ ...services, name: 'v2' })).toEqual({ ...nothing, refused: ['RefNotPermitted'] });
  });

  it('a route to a Service or a port that is not there, and to an unknown kind', () => {
    const rules = [
      toBackend('lost'),
      { backendRefs: [{ name: 'v1', port: 9 }] },
      { backendRefs: [{ group: 'unknown.example.com', kind: 'NonExistent', name: 'v1', port: 8080 }] },
    ];
    expect(told(httpRoute({ rules }), backend('v1'))).toEqual({
      ...nothing,
      missing: ['service:infra/lost', 'service:infra/v1#?', 'nonexistent.unknown.example.com:infra/v1'],
    });
  });
});
