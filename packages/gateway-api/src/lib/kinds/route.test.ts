import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import {
  bucket,
  cluster,
  clusterWith,
  gateway,
  gatewayClass,
  linksOf,
  pathsTo,
  referenceGrant,
  route,
  sectionsOf,
  service,
  tunnel,
} from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';
import { HTTPRoute } from './route.ts';

/** A vendor's, which serves every kind of route. */
const protocol = 'example.com/any';
const publicGateway = gateway('public', {
  listeners: [
    { name: 'http', port: 80, protocol },
    { name: 'https', port: 443, protocol },
    { name: 'internal', port: 443, protocol },
  ],
});
const openListener = { name: 'far', protocol, allowedRoutes: { namespaces: { from: 'All' } } };

describe.each(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'])('%s', (kind) => {
  /** Returns the listeners above a route with these parentRefs. */
  const listenersOf = (...parentRefs: readonly unknown[]) =>
    linksOf(
      cluster(
        publicGateway,
        gateway('public', { listeners: [openListener] }, 'abroad'),
        route(kind, 'r', { parentRefs }),
      ),
    ).map((link) => link.replace(` > ${kind} default/r`, ''));
  /** Returns the targets below a route with these backendRefs. */
  const backendsOf = (...backendRefs: readonly unknown[]) =>
    linksOf(
      cluster(
        service('cart', [{ name: 'web', port: 80 }, { port: 8080 }]),
        service('cart', [{ port: 80 }], 'abroad'),
        referenceGrant('abroad', [{ kind, namespace: 'default' }], [{ group: '', kind: 'Service' }]),
        route(kind, 'r', { rules: [{ backendRefs }] }),
      ),
    ).map((link) => link.replace(`${kind} default/r#rule-1 > `, ''));

  const http = 'Gateway default/public#http';
  const https = 'Gateway default/public#https';
  const internal = 'Gateway default/public#internal';
  const Gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'public' };

  it.each([
    ['all of a Gateway', [{ name: 'public' }], [http, https, internal]],
    ['a Gateway by group and kind', [Gateway], [http, https, internal]],
    ['one by section', [{ name: 'public', sectionName: 'http' }], [http]],
    ['some by port', [{ name: 'public', port: 443 }], [https, internal]],
    ['one by both', [{ name: 'public', sectionName: 'internal', port: 443 }], [internal]],
    ['none where section and port differ', [{ name: 'public', sectionName: 'http', port: 443 }], []],
    ['none of another name', [{ name: 'public', sectionName: 'nothing' }], []],
    [
      'all where section and port are null or empty',
      [{ name: 'public', sectionName: '', port: null }],
      [http, https, internal],
    ],
    [
      'each once, however often they are named (W6)',
      [{ name: 'public' }, { name: 'public', sectionName: 'http' }],
      [http, https, internal],
    ],
    [
      'those of two Gateways',
      [
        { name: 'public', sectionName: 'http' },
        { name: 'public', namespace: 'abroad' },
      ],
      ['Gateway abroad/public#far', http],
    ],
    ['none of a missing Gateway', [{ name: 'private' }], []],
    ['none of another kind', [{ group: 'example.com', kind: 'Gateway', name: 'public' }], []],
    ['none of a kind in another case (X-02)', [{ ...Gateway, kind: 'gateway' }], []],
    ['none without a name', [{}, null, 'public', 5], []],
  ])('is below %s (H-09)', (_, parentRefs, expected) => {
    expect(listenersOf(...parentRefs)).toEqual(expected);
  });

  it('makes one path through each listener that it names twice (W6)', () => {
    const parentRefs = [
      { name: 'public', sectionName: 'http' },
      { name: 'public', port: 80 },
    ];
    expect(pathsTo(cluster(publicGateway, route(kind, 'r', { parentRefs })), `${kind} default/r`)).toEqual([
      `Gateway default/public#http > ${kind} default/r`,
    ]);
  });

  it('makes no link to a Service above it, which is mostly its backend too', () => {
    const mesh = route(kind, 'r', {
      parentRefs: [{ group: '', kind: 'Service', name: 'cart' }],
      rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }],
    });
    const topology = cluster(mesh, service('cart', [{ name: 'web', port: 80 }]));
    expect(linksOf(topology)).toEqual([`${kind} default/r#rule-1 > Service default/cart#web`]);
    expect(topology.unresolved).toEqual([]);
  });

  it.each(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute', 'GatewayClass'])(
    'never links to a %s above it, for any spec (H-09)',
    (parentKind) => {
      const parentRefs = [
        { kind: parentKind, name: 'r' },
        { kind: parentKind, name: 'r', sectionName: 'rule-1' },
      ];
      const topology = cluster(route(parentKind, 'r', { rules: [{}] }), route(kind, 'cycle', { parentRefs }));
      expect(linksOf(topology)).toEqual([]);
      expect(topology.unresolved).toEqual([]);
    },
  );

  it.each(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute', 'Gateway', 'GatewayClass'])(
    'makes no link to a %s below it (H-09)',
    (backendKind) => {
      const { group } = Gateway;
      const rules = [{ backendRefs: [{ group, kind: backendKind, name: 'public', port: 80 }] }];
      const topology = cluster(publicGateway, gatewayClass('public'), route(kind, 'public', { rules }));
      expect(linksOf(topology)).toEqual([]);
    },
  );

  it('makes no link to a Namespace, which contains it (H-03)', () => {
    const namespace = { group: '', kind: 'Namespace', name: 'default' };
    const spec = { parentRefs: [namespace], rules: [{ backendRefs: [namespace] }] };
    const resource = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
    expect(linksOf(cluster(resource, route(kind, 'r', spec)))).toEqual([]);
  });

  it('cannot lead back to itself, and so cannot block changes of others', () => {
    const { group } = Gateway;
    const itself = { group, kind, name: 'r' };
    const spec = {
      parentRefs: [{ name: 'public', port: 80 }, itself],
      rules: [{ backendRefs: [itself, Gateway, { name: 'cart', port: 80 }] }],
    };
    const topology = cluster(publicGateway, route(kind, 'r', spec), service('cart', [{ port: 80 }]));
    expect(linksOf(topology)).toEqual([
      `${http} > ${kind} default/r`,
      `${kind} default/r#rule-1 > Service default/cart#80`,
    ]);
  });

  it('attaches to a kind that a user adds, as a whole for a kind without sections', () => {
    const parentRefs = [{ group: 'example.com', kind: 'Tunnel', name: 'in' }];
    expect(linksOf(cluster(tunnel('in'), route(kind, 'r', { parentRefs })))).toEqual([
      `Tunnel default/in > ${kind} default/r`,
    ]);
    expect(linksOf(clusterWith({}, tunnel('in'), route(kind, 'r', { parentRefs })))).toEqual([]);
  });

  it('leads to a kind that a user adds, as a whole for a kind without sections', () => {
    const there = { group: 'example.com', kind: 'Bucket' };
    const backendRefs = [
      { ...there, name: 'out' },
      { ...there, name: 'deep', port: 80 },
    ];
    const topology = cluster(bucket('out'), bucket('deep'), route(kind, 'r', { rules: [{ backendRefs }] }));
    expect(linksOf(topology)).toEqual([
      `${kind} default/r#rule-1 > Bucket default/deep`,
      `${kind} default/r#rule-1 > Bucket default/out`,
    ]);
    expect(topology.unresolved).toEqual([]);
  });

  it('uses no kind as both a parent and a backend, so that no tenant can form a cycle', () => {
    const tunnelRef = { group: 'example.com', kind: 'Tunnel', name: 't' };
    const bucketRef = { group: 'example.com', kind: 'Bucket', name: 'b' };
    const both = [tunnelRef, bucketRef];
    const spec = { parentRefs: both, rules: [{ backendRefs: both }] };
    expect([...linksOf(cluster(tunnel('t'), bucket('b'), route(kind, 'r', spec)))].sort()).toEqual(
      [`${kind} default/r#rule-1 > Bucket default/b`, `Tunnel default/t > ${kind} default/r`].sort(),
    );
  });

  it('does not attach to a kind that a user adds by a missing section', () => {
    const parentRefs = [{ group: 'example.com', kind: 'Tunnel', name: 'in', sectionName: 'left' }];
    const topology = cluster(tunnel('in'), route(kind, 'r', { parentRefs }));
    expect(topology.unresolved.map(({ missing }) => missing)).toEqual(['tunnel.example.com:default/in#?']);
  });

  it('has its rules as sections, unnamed ones by their place', () => {
    const rules = [{ name: 'admin' }, {}, { name: '' }];
    expect(sectionsOf(cluster(route(kind, 'r', { rules })))).toEqual([
      `${kind} default/r#admin`,
      `${kind} default/r#rule-2`,
      `${kind} default/r#rule-3`,
    ]);
  });

  it('keeps an unnamed rule apart from one that bears its name (W3)', () => {
    const topology = cluster(route(kind, 'r', { rules: [{ name: 'rule-2' }, {}] }));
    expect(sectionsOf(topology)).toEqual([`${kind} default/r#rule-2`, `${kind} default/r#rule-2-2`]);
    expect(topology.issues).toMatchObject([{ code: 'section-name-collision', severity: 'warning' }]);
  });

  it.each([
    ['a port by its number', [{ name: 'cart', port: 80 }], ['Service default/cart#web']],
    ['an unnamed port', [{ name: 'cart', port: 8080 }], ['Service default/cart#8080']],
    ['a whole Service where no port is named', [{ name: 'cart' }], ['Service default/cart']],
    [
      'a Service by group and kind',
      [{ group: '', kind: 'Service', name: 'cart', port: 80 }],
      ['Service default/cart#web'],
    ],
    ['nothing where there is no such port', [{ name: 'cart', port: 9 }], []],
    ['a Service of another namespace', [{ name: 'cart', namespace: 'abroad', port: 80 }], ['Service abroad/cart#80']],
    [
      'a backend once, however often it is named',
      [
        { name: 'cart', port: 80 },
        { name: 'cart', port: 80, weight: 9 },
      ],
      ['Service default/cart#web'],
    ],
    [
      'a whole Service rather than its ports, where both are named',
      [{ name: 'cart', port: 80 }, { name: 'cart' }],
      ['Service default/cart'],
    ],
    ['nothing of another kind', [{ group: 'example.com', kind: 'Bucket', name: 'cart' }], []],
    ['nothing without a name', [{}, null, 'cart', 5], []],
  ])('leads from a rule to %s', (_, backendRefs, expected) => {
    expect(backendsOf(...backendRefs)).toEqual(expected);
  });

  it('has the pointers of dangling references after any other references', () => {
    const spec = {
      parentRefs: [null, { name: 'private' }],
      rules: ['x', { backendRefs: [5, { name: 'nothing', port: 80 }] }],
    };
    const { unresolved } = cluster(route(kind, 'r', spec));
    expect(unresolved.map(({ reference, missing }) => [reference.pointer, missing])).toEqual([
      ['/spec/parentRefs/1', 'gateway.gateway.networking.k8s.io:default/private'],
      ['/spec/rules/1/backendRefs/1', 'service:default/nothing'],
    ]);
  });

  it('is below a Gateway that is created later', () => {
    const topology = cluster(route(kind, 'r', { parentRefs: [{ name: 'public', port: 80 }] }));
    topology.apply({ upsert: [publicGateway] });
    expect(linksOf(topology)).toEqual([`Gateway default/public#http > ${kind} default/r`]);
  });

  it.each([
    { rules: 5, parentRefs: null },
    { rules: 'x', parentRefs: {} },
    { rules: [{ backendRefs: 'x' }, { backendRefs: [[]] }], parentRefs: [[]] },
  ])('takes %j', (spec) => {
    expect(linksOf(cluster(publicGateway, route(kind, 'r', spec)))).toEqual([]);
  });
});

describe('ExtensionRef filters of a rule (G-03)', () => {
  const policyKind = {
    group: 'example.com',
    kind: 'TrafficPolicy',
    scope: 'Namespaced' as const,
    targets: [HTTPRoute],
    crossNamespace: 'refuse' as const,
    extensionRefs: true,
    targetRefs: () => ({ refs: [], issues: [] }),
  };
  const extensionRef = { group: 'example.com', kind: 'TrafficPolicy', name: 'cors' };
  const policy = {
    apiVersion: 'example.com/v1',
    kind: 'TrafficPolicy',
    metadata: { name: 'cors', namespace: 'default' },
  };

  const attachedBy = (filters: unknown) => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [policyKind] });
    topology.apply({ upsert: [route('HTTPRoute', 'r', { rules: [{}, { filters }] }), policy] });
    return topology.policies().flatMap(({ attachments }) => attachments.map(({ target }) => target?.ref.section));
  };

  it('attach the policy that they name to the rule', () => {
    expect(attachedBy([{ type: 'RequestMirror' }, { type: 'ExtensionRef', extensionRef }])).toEqual(['rule-2']);
  });

  it.each([
    ['another type of filter', [{ type: 'RequestMirror', extensionRef }]],
    ['no reference', [{ type: 'ExtensionRef' }]],
    ['a reference without a name', [{ type: 'ExtensionRef', extensionRef: { ...extensionRef, name: 5 } }]],
    ['no list', 'ExtensionRef'],
  ])('attach nothing: %s', (_case, filters) => {
    expect(attachedBy(filters)).toEqual([]);
  });
});

describe('a route without rules', () => {
  it.each([{}, { rules: null }])('has the rule that the API server adds, if it is an HTTPRoute: %j', (spec) => {
    expect(sectionsOf(cluster(route('HTTPRoute', 'r', spec)))).toEqual(['HTTPRoute default/r#rule-1']);
    expect(sectionsOf(cluster(route('GRPCRoute', 'r', spec)))).toEqual([]);
  });

  it('has none, if its list of rules is empty', () => {
    expect(sectionsOf(cluster(route('HTTPRoute', 'r', { rules: [] })))).toEqual([]);
  });
});
