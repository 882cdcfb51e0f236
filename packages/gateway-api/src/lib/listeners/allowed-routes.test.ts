import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatewayGroup as group } from '../fields/group.ts';
import { allowsRoute, type RouteCandidate } from './allowed-routes.ts';

const http = (allowedRoutes?: JsonValue): JsonObject =>
  allowedRoutes === undefined ? { protocol: 'HTTP' } : { protocol: 'HTTP', allowedRoutes };
/** A route, and the labels of its namespace. */
interface Candidate extends RouteCandidate {
  readonly labels: Record<string, string> | undefined;
}
const route = (namespace: string, kind = 'HTTPRoute', labels?: Record<string, string>): Candidate => ({
  groupKind: { group, kind },
  namespace,
  labels,
});

/** Returns `allowed`, or the field that forbids it, with the reason. */
function decision(listener: JsonObject, candidate: Candidate): string {
  const admission = allowsRoute('infra', listener, candidate, () => candidate.labels);
  if (!admission.allowed) expect(admission.reason).toBe('NotAllowedByListeners');
  return admission.allowed ? 'allowed' : `${admission.pointer}: ${admission.message}`;
}

describe('allowsRoute', () => {
  const prod = { env: 'prod' };
  const selector = (value: JsonValue) => http({ namespaces: { from: 'Selector', selector: value } });
  const sameOnly =
    '/allowedRoutes/namespaces/from: the listener takes routes from namespace "infra" only, not from "shop"';
  const notSelected = '/allowedRoutes/namespaces/selector: the listener\'s selector does not select namespace "shop"';

  it.each<[string, JsonObject, Candidate, string]>([
    ['its own, by default', http(), route('infra'), 'allowed'],
    ['no other, by default', http(), route('shop'), sameOnly],
    ['no other, without namespaces', http({ kinds: [] }), route('shop'), sameOnly],
    ['no other, without from', http({ namespaces: {} }), route('shop'), sameOnly],
    ['its own, with Same', http({ namespaces: { from: 'Same' } }), route('infra'), 'allowed'],
    ['no other, with Same', http({ namespaces: { from: 'Same' } }), route('shop'), sameOnly],
    [
      'perhaps one that does not name its namespace, with Same',
      http(),
      { ...route('default'), unnamed: 'guest' },
      '/allowedRoutes/namespaces/from: the listener takes routes from its own namespace only, and one of the two is not named',
    ],
    ['its own, if neither names the namespace', http(), { ...route('infra'), unnamed: 'guest' }, 'allowed'],
    [
      'perhaps one that does not name its namespace, with Selector',
      selector({ matchLabels: prod }),
      { ...route('default', 'HTTPRoute', {}), unnamed: 'guest' },
      '/allowedRoutes/namespaces/selector: the listener selects namespaces, and this one is not named',
    ],
    [
      'none of other labels, if only the Gateway does not name its namespace',
      selector({ matchLabels: prod }),
      { ...route('shop', 'HTTPRoute', {}), unnamed: 'owner' },
      notSelected,
    ],
    ['any, with All', http({ namespaces: { from: 'All' } }), route('shop'), 'allowed'],
    ['those selected', selector({ matchLabels: prod }), route('shop', 'HTTPRoute', prod), 'allowed'],
    ['none of other labels', selector({ matchLabels: prod }), route('shop', 'HTTPRoute', { env: 'dev' }), notSelected],
    [
      'not its own as a matter of course',
      selector({ matchLabels: prod }),
      route('infra', 'HTTPRoute', {}),
      notSelected.replace('shop', 'infra'),
    ],
    ['all known, by an empty selector', selector({}), route('shop', 'HTTPRoute', {}), 'allowed'],
    [
      'one by its name, which the API server makes a label',
      selector({ matchLabels: { 'kubernetes.io/metadata.name': 'shop' } }),
      route('shop', 'HTTPRoute', {}),
      'allowed',
    ],
    [
      'none whose labels are not known',
      selector({ matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] }),
      route('shop'),
      '/allowedRoutes/namespaces/selector: the labels of namespace "shop" are not known',
    ],
    [
      'none, with None',
      http({ namespaces: { from: 'None' } }),
      route('infra'),
      '/allowedRoutes/namespaces/from: the listener takes routes from no namespace',
    ],
    [
      'none, with a selector that is missing',
      http({ namespaces: { from: 'Selector' } }),
      route('infra', 'HTTPRoute', prod),
      '/allowedRoutes/namespaces/selector: from is Selector, but selector is missing',
    ],
    [
      'none, with a selector that is broken',
      selector({ matchExpressions: [{ key: 'env', operator: 'in', values: ['prod'] }] }),
      route('shop', 'HTTPRoute', prod),
      expect.stringContaining(
        '/allowedRoutes/namespaces/selector: Invalid label selector: "env": its operator is not one of',
      ),
    ],
    [
      'none, with a selector that is no object',
      selector('env=prod'),
      route('shop'),
      '/allowedRoutes/namespaces/selector: Invalid label selector: it is not an object',
    ],
    [
      'none, with a word of its own',
      http({ namespaces: { from: 'all' } }),
      route('infra'),
      '/allowedRoutes/namespaces/from: from is all; expected one of All, None, Same, Selector',
    ],
    [
      'any, with a selector that does not count',
      http({ namespaces: { from: 'All', selector: 5 } }),
      route('shop'),
      'allowed',
    ],
  ])('takes routes from namespaces: %s (H-09)', (_, listener, candidate, expected) => {
    expect(decision(listener, candidate)).toEqual(expected);
  });

  it.each([undefined, null, ''])('says that a protocol is missing where it is %j', (protocol) => {
    const listener = protocol === undefined ? {} : { protocol };
    expect(decision(listener, route('infra'))).toBe(
      "/protocol: the listener's protocol (missing) or its TLS mode is not known",
    );
  });

  const tls = (mode: string) => ({ protocol: 'TLS', tls: { mode } });

  it.each<[string, JsonObject, string, string]>([
    ['HTTP', http(), 'HTTPRoute', 'allowed'],
    ['HTTP', http(), 'GRPCRoute', 'allowed'],
    ['HTTP', http(), 'TCPRoute', '/protocol'],
    ['HTTPS', { protocol: 'HTTPS' }, 'HTTPRoute', 'allowed'],
    ['HTTPS', { protocol: 'HTTPS' }, 'TLSRoute', '/protocol'],
    ['TLS Passthrough', tls('Passthrough'), 'TLSRoute', 'allowed'],
    ['TLS Passthrough', tls('Passthrough'), 'TCPRoute', '/protocol'],
    ['TLS Passthrough', tls('Passthrough'), 'HTTPRoute', '/protocol'],
    ['TLS Terminate', tls('Terminate'), 'TLSRoute', 'allowed'],
    ['TLS Terminate', tls('Terminate'), 'TCPRoute', 'allowed'],
    ['TCP', { protocol: 'TCP' }, 'TCPRoute', 'allowed'],
    ['TCP', { protocol: 'TCP' }, 'UDPRoute', '/protocol'],
    ['UDP', { protocol: 'UDP' }, 'UDPRoute', 'allowed'],
    ['UDP', { protocol: 'UDP' }, 'TCPRoute', '/protocol'],
    ['unknown', { protocol: 'QUIC' }, 'HTTPRoute', '/protocol'],
    ['missing', {}, 'HTTPRoute', '/protocol'],
    ['vendor', { protocol: 'example.com/bar' }, 'HTTPRoute', 'allowed'],
    ['the kind named', http({ kinds: [{ kind: 'HTTPRoute' }] }), 'HTTPRoute', 'allowed'],
    ['the kind named with its group', http({ kinds: [{ group, kind: 'HTTPRoute' }] }), 'HTTPRoute', 'allowed'],
    ['one kind of several', http({ kinds: [{ kind: 'GRPCRoute' }, { kind: 'HTTPRoute' }] }), 'HTTPRoute', 'allowed'],
    ['another kind', http({ kinds: [{ kind: 'GRPCRoute' }] }), 'HTTPRoute', '/allowedRoutes/kinds'],
    [
      'the kind of another group',
      http({ kinds: [{ group: 'example.com', kind: 'HTTPRoute' }] }),
      'HTTPRoute',
      '/allowedRoutes/kinds',
    ],
    [
      'the kind of the core group',
      http({ kinds: [{ group: '', kind: 'HTTPRoute' }] }),
      'HTTPRoute',
      '/allowedRoutes/kinds',
    ],
    ['the kind in other letters', http({ kinds: [{ kind: 'httproute' }] }), 'HTTPRoute', '/allowedRoutes/kinds'],
    ['a kind that the protocol cannot serve', http({ kinds: [{ kind: 'TCPRoute' }] }), 'TCPRoute', '/protocol'],
    [
      'a kind, on a vendor protocol',
      { protocol: 'x.io/y', allowedRoutes: { kinds: [{ kind: 'TCPRoute' }] } },
      'HTTPRoute',
      '/allowedRoutes/kinds',
    ],
    ['an empty list', http({ kinds: [] }), 'HTTPRoute', 'allowed'],
    ['null', http({ kinds: null }), 'HTTPRoute', 'allowed'],
    ['a list of rubbish', http({ kinds: [null, 'HTTPRoute', {}] }), 'HTTPRoute', '/allowedRoutes/kinds'],
    ['no list', http({ kinds: { kind: 'HTTPRoute' } }), 'HTTPRoute', '/allowedRoutes/kinds'],
    ['no object', http('All'), 'HTTPRoute', '/allowedRoutes'],
    ['namespaces that are no object', http({ namespaces: ['All'] }), 'HTTPRoute', '/allowedRoutes/namespaces'],
  ])('takes kinds of routes (H-09): with %s, %j and %s: %s', (_, listener, kind, expected) => {
    expect(decision(listener, route('infra', kind)).replace(/:.*/, '')).toBe(expected);
  });

  it('names the kind that cannot be served', () => {
    expect(decision({ protocol: 'UDP' }, route('infra'))).toBe(
      '/protocol: a UDP listener cannot serve HTTPRoute.gateway.networking.k8s.io',
    );
    expect(decision({ protocol: ['UDP'] }, route('infra'))).toBe(
      "/protocol: the listener's protocol (a list) or its TLS mode is not known",
    );
    expect(decision(http({ kinds: [{ kind: 'GRPCRoute' }] }), route('infra'))).toBe(
      '/allowedRoutes/kinds: the listener does not allow HTTPRoute.gateway.networking.k8s.io',
    );
  });

  it('never throws, and never changes its input', () => {
    const rubbish = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
    const namespaces = fc.record({ from: fc.oneof(fc.constant('Selector'), rubbish), selector: rubbish });
    const allowedRoutes = fc.oneof(rubbish, fc.record({ namespaces: fc.oneof(namespaces, rubbish), kinds: rubbish }));
    const listeners = fc.record({ protocol: fc.oneof(fc.constant('HTTP'), rubbish), tls: rubbish, allowedRoutes });
    fc.assert(
      fc.property(listeners as fc.Arbitrary<JsonObject>, (listener) => {
        const before = structuredClone(listener);
        expect(decision(listener, route('shop', 'HTTPRoute', {})).length).toBeLessThan(300);
        expect(listener).toEqual(before);
      }),
    );
  });

  it('has short messages for any listener', () => {
    const long = 'x'.repeat(1_000_000);
    const broken = { matchExpressions: [{ key: long, operator: 'in' }] };
    const listeners = [{ protocol: long }, http({ namespaces: { from: long } }), selector(broken)];
    for (const listener of listeners)
      expect(decision(listener, route('shop', 'HTTPRoute', {})).length).toBeLessThan(300);
  });
});
