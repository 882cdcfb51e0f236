import { type KubernetesObject, objectIn, objectsIn, stringIn } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveReport, reportData, viewableData } from '../index.ts';
import { OnTheWay } from './answers/on-the-way.ts';
import { Requests } from './answers/request-answer.ts';
import { answerTarget } from './answers/target-answer.ts';
import { Report } from './data/report.ts';
import { runs } from './runs.fixture.ts';
import { policy, refTo, resource, resources, worldOf } from './worlds.fixture.ts';

const now = new Date(0);

/** A route that its team may read, below a Gateway that others run, with policies of both. */
function shop() {
  const listeners = [{ name: 'secret-listener', port: 80, protocol: 'HTTP' }];
  const { topology, views } = worldOf([
    resource('Gateway', 'secret-gateway', { gatewayClassName: 'edge', listeners }),
    resource('HTTPRoute', 'cart', { parentRefs: [{ name: 'secret-gateway' }], rules: [{}] }),
    policy('TimeoutPolicy', 'secret-ceiling', [refTo('Gateway', 'secret-gateway')], {
      overrides: { request: 'secret-value', idle: 'secret-idle' },
    }),
    policy('TimeoutPolicy', 'secret-own', [refTo('HTTPRoute', 'cart')], { request: '1s', retries: 3 }),
  ]);
  return reportData({ topology, views, now });
}

/** Returns what the page says about the effective fields of a view, as `pointer = value by policies`. */
function fieldsOf(report: Report): readonly string[] {
  return report.data.views.flatMap(({ fields, layers }) =>
    fields.map(([pointer, value, by]) => {
      const names = by.map((layer) => report.policies[layers[layer]?.[0] ?? -1]?.label ?? 'the target');
      return `${report.text(pointer)} = ${value === -1 ? 'unset' : report.text(value)} by ${names}`;
    }),
  );
}

describe('viewableData', () => {
  it('is all data for a viewer who may read everything', () => {
    const json = shop();
    expect(viewableData(json).forViewer(() => true)).toBe(json);
  });

  it('names the places that rights are about', () => {
    expect(viewableData(shop()).places).toEqual([
      { kind: 'Gateway', namespace: 'shop' },
      { kind: 'HTTPRoute', namespace: 'shop' },
      { kind: 'TimeoutPolicy', namespace: 'shop' },
    ]);
  });

  it('leaves out the names and values of what a viewer may not read, and says how much that is', () => {
    const json = viewableData(shop()).forViewer(({ kind }) => kind === 'HTTPRoute');
    expect(json).not.toMatch(/secret|1s/);
    const data = JSON.parse(json);
    expect(data.notes).toEqual([
      'You may not read 3 of the objects and policies here: they have a kind, a namespace and an outcome, and no name.',
    ]);
    const report = new Report(data);
    expect(report.nodes.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^Gateway shop\/\(hidden \d\)$/),
      expect.stringMatching(/^Gateway shop\/\(hidden \d\)#1$/),
      'HTTPRoute shop/cart',
      'HTTPRoute shop/cart#rule-1',
    ]);
    expect(report.policies.map(({ label, outcome, message }) => [label, outcome, message])).toEqual([
      [
        expect.stringMatching(/^TimeoutPolicy shop\/\(hidden \d\)$/),
        expect.any(String),
        'You may not read this policy.',
      ],
      [
        expect.stringMatching(/^TimeoutPolicy shop\/\(hidden \d\)$/),
        expect.any(String),
        'You may not read this policy.',
      ],
    ]);
  });

  it('keeps the fields of the policies that a viewer may read, and hides values that others set', () => {
    const { topology, views } = worldOf([
      resource('Gateway', 'edge', {
        gatewayClassName: 'edge',
        listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
      }),
      resource('HTTPRoute', 'cart', {
        parentRefs: [{ name: 'edge' }],
        rules: [{ backendRefs: [{ name: 'svc', port: 80 }] }],
      }),
      resource('Service', 'svc', { ports: [{ port: 80 }] }),
      policy('BackendPolicy', 'ceiling', [refTo('Gateway', 'edge')], { overrides: { request: '9s', idle: '8s' } }),
      policy('TimeoutPolicy', 'own', [refTo('HTTPRoute', 'cart')], { request: '1s' }),
    ]);
    const all = viewableData(reportData({ topology, views, now }));
    const report = new Report(JSON.parse(all.forViewer(({ kind }) => kind !== 'BackendPolicy')));
    expect(fieldsOf(report)).toEqual([
      '/request = 1s by TimeoutPolicy shop/own',
      expect.stringMatching(/^\/\(hidden\) = \(hidden\) by BackendPolicy shop\/\(hidden \d\)$/),
      expect.stringMatching(/^\/\(hidden\) = \(hidden\) by BackendPolicy shop\/\(hidden \d\)$/),
    ]);
  });

  it('says by which field an own policy lost to one of others, and not their value', () => {
    const inInfra = (object: KubernetesObject): KubernetesObject => {
      return { ...object, metadata: { ...object.metadata, namespace: 'infra' } };
    };
    const allowedRoutes = { namespaces: { from: 'All' } };
    const listeners = [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes }];
    const overrides = { request: 'secret-value' };
    const { topology, views } = worldOf([
      inInfra(resource('Gateway', 'edge', { gatewayClassName: 'edge', listeners })),
      resource('HTTPRoute', 'cart', { parentRefs: [{ name: 'edge', namespace: 'infra' }], rules: [{}] }),
      inInfra(policy('TimeoutPolicy', 'ceiling', [refTo('Gateway', 'edge')], { overrides })),
      policy('TimeoutPolicy', 'own', [refTo('HTTPRoute', 'cart')], { request: '1s' }),
    ]);
    const { forViewer } = viewableData(reportData({ topology, views, now }));
    const json = forViewer(({ namespace }) => namespace === 'shop');
    expect(json).not.toMatch(/secret|ceiling|edge/);
    expect(json).toContain('"1s"'); // What lost.
    expect(fieldsOf(new Report(JSON.parse(json)))).toEqual([
      expect.stringMatching(/^\/request = \(hidden\) by TimeoutPolicy infra\/\(hidden \d\)$/),
    ]);
  });

  it('answers no requests if a route or Gateway that could take them is hidden', () => {
    const { forViewer } = viewableData(shop());
    const hidden = new Report(JSON.parse(forViewer(({ kind }) => kind !== 'Gateway')));
    expect(hidden.data.requests).toEqual({ gateways: [], routeLists: [], routes: [], entries: [], isHidden: true });
    const known = new Report(JSON.parse(forViewer(({ kind }) => kind !== 'TimeoutPolicy')));
    expect(known.data.requests.isHidden).toBeUndefined();
    expect(new Requests(known).answer({ host: 'a.example.com', path: '/' })).toHaveLength(1);
  });

  it('forgets what has been deleted', () => {
    const secret = policy('TimeoutPolicy', 'secret-name', [refTo('Gateway', 'edge')], { request: 'secret-value' });
    const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
    const { topology, views } = worldOf([
      resource('Gateway', 'edge', { gatewayClassName: 'edge', listeners }),
      resource('HTTPRoute', 'cart', { parentRefs: [{ name: 'edge' }], rules: [{}] }),
      secret,
    ]);
    const live = liveReport({ topology, views });
    expect(live.update().json).toContain('secret-value');
    topology.apply({ remove: [secret] });
    const { forViewer } = viewableData(live.update().json);
    expect(forViewer(({ kind }) => kind !== 'TimeoutPolicy')).not.toContain('secret');
    expect(forViewer(({ kind }) => kind === 'HTTPRoute')).not.toContain('secret');
  });

  const kinds = [
    'Gateway',
    'HTTPRoute',
    'Service',
    'Namespace',
    'TimeoutPolicy',
    'BackendPolicy',
    'UpstreamPolicy',
    'ListenerPolicy',
  ];
  const named = /\b(?:gw|l|svc|route|policy)-\d+\b/g;

  const listenersOf = ({ spec }: KubernetesObject) =>
    objectsIn(objectIn(spec).listeners).map((listener) => stringIn(listener.name) ?? '');

  it('has no name of an object that a viewer may not read, in any world, and can be shown', () => {
    fc.assert(
      fc.property(resources, fc.subarray(kinds), (objects, hidden) => {
        const { topology, views } = worldOf(objects);
        const json = viewableData(reportData({ topology, views, now })).forViewer(({ kind }) => !hidden.includes(kind));
        const unread = objects.filter(({ kind }) => hidden.includes(kind));
        const secret = new Set(unread.flatMap((object) => [object.metadata.name, ...listenersOf(object)]));
        expect((json.match(named) ?? []).filter((name) => secret.has(name))).toEqual([]);
        const report = new Report(JSON.parse(json));
        expect(report.nodes).toHaveLength([...topology.targets].length);
        for (const node of report.nodes) answerTarget(report, node, new OnTheWay(report));
      }),
      { numRuns: runs(200) },
    );
  });
});
