import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, ListenerSet, Namespace } from '@policy-machinery/gateway-api';
import { atomic } from '@policy-machinery/merge';
import { type AncestorEntries, bareSpec } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, ref, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { planStatus } from '../plan/plan-status.ts';
import { reportPolicies } from './policy-report.ts';

const gatewayGroup = 'gateway.networking.k8s.io';

function kindWith(ancestorEntries: Partial<AncestorEntries>) {
  const { targets } = timeoutKind('TimeoutPolicy');
  return timeoutKind('TimeoutPolicy', {
    targets: [...targets, ListenerSet, ListenerSet.sections.listener],
    ancestors: [{ group: gatewayGroup, kind: 'Gateway' }, ListenerSet],
    ancestorEntries,
    stanzas: bareSpec({ strategies: { atomic } }),
  });
}

/** More listeners for the Gateway `edge`. */
const more: KubernetesObject = {
  apiVersion: `${gatewayGroup}/v1`,
  kind: 'ListenerSet',
  metadata: { name: 'more', namespace: 'shop', generation: 1 },
  spec: {
    parentRef: { kind: 'Gateway', name: 'edge' },
    listeners: [{ name: 'extra', port: 8443, protocol: 'HTTPS', allowedRoutes: { namespaces: { from: 'All' } } }],
  },
};

const edge = gateway('edge', ['http', 'https']);
const open: KubernetesObject = {
  ...edge,
  spec: { ...(edge.spec as object), allowedListeners: { namespaces: { from: 'All' } } },
};
/** A route below a ListenerSet, by one of its listeners. */
const viaSet: KubernetesObject = {
  apiVersion: `${gatewayGroup}/v1`,
  kind: 'HTTPRoute',
  metadata: { name: 'set', namespace: 'shop', generation: 1 },
  spec: { parentRefs: [{ kind: 'ListenerSet', name: 'more', sectionName: 'extra' }], rules: [{ name: 'pay' }] },
};
const base = [
  open,
  more,
  route('whole', ['edge']),
  route('both', ['edge', 'edge#https']),
  route('two', ['edge#http', 'edge#https']),
  viaSet,
];

/** The entries for a policy on a target: `Gateway edge#https: enforced`. */
function entriesOn(target: string, entries: Partial<AncestorEntries>, ...others: readonly KubernetesObject[]) {
  const policy = timeouts('p', [target], { request: 1 });
  const { effective } = cluster(kindWith(entries), ...base, policy, ...others);
  const report = reportPolicies(effective).find(({ policy: { resource } }) => resource === policy);
  return report?.ancestors.map(({ ancestorRef: { kind, name, sectionName }, outcome }) => {
    return `${kind} ${name}${sectionName === undefined ? '' : `#${sectionName}`}: ${outcome}`;
  });
}

describe('reportPolicies, ancestorEntries', () => {
  it.each<[string, string[], string[]]>([
    ['HTTPRoute whole', ['Gateway edge: enforced'], ['Gateway edge: enforced']],
    ['HTTPRoute two', ['Gateway edge: enforced'], ['Gateway edge#http: enforced', 'Gateway edge#https: enforced']],
    ['HTTPRoute both', ['Gateway edge: enforced'], ['Gateway edge: enforced', 'Gateway edge#https: enforced']],
    ['HTTPRoute two#pay', ['Gateway edge: enforced'], ['Gateway edge#http: enforced', 'Gateway edge#https: enforced']],
    ['Gateway edge#http', ['Gateway edge: enforced'], ['Gateway edge#http: enforced']],
    ['Gateway edge#gone', ['Gateway edge: section-not-found'], ['Gateway edge#gone: section-not-found']],
    [
      'HTTPRoute set',
      ['Gateway edge: enforced', 'ListenerSet more: enforced'],
      ['Gateway edge: enforced', 'ListenerSet more#extra: enforced'],
    ],
    [
      'ListenerSet more#extra',
      ['Gateway edge: enforced', 'ListenerSet more: enforced'],
      ['Gateway edge: enforced', 'ListenerSet more#extra: enforced'],
    ],
  ])(
    'names for a policy on %s ancestors as a whole, or with the sections that are named on the way',
    (target, objects, sections) => {
      expect(entriesOn(target, {})).toEqual(objects);
      expect(entriesOn(target, { naming: 'sections' })).toEqual(sections);
    },
  );

  it.each<[string, string[], string[]]>([
    ['HTTPRoute set', ['ListenerSet more: enforced'], ['ListenerSet more#extra: enforced']],
    ['HTTPRoute two', ['Gateway edge: enforced'], ['Gateway edge#http: enforced', 'Gateway edge#https: enforced']],
    ['ListenerSet more', ['ListenerSet more: enforced'], ['ListenerSet more: enforced']],
    ['ListenerSet more#extra', ['ListenerSet more: enforced'], ['ListenerSet more#extra: enforced']],
    ['Gateway edge', ['Gateway edge: enforced'], ['Gateway edge: enforced']],
    ['Gateway edge#https', ['Gateway edge: enforced'], ['Gateway edge#https: enforced']],
  ])('has only the nearest ancestor of a policy on %s, with that option of the kind', (target, objects, sections) => {
    expect(entriesOn(target, { reach: 'nearest' })).toEqual(objects);
    expect(entriesOn(target, { reach: 'nearest', naming: 'sections' })).toEqual(sections);
  });

  it('names the listeners where a policy is in force, and those where it is not', () => {
    const kind = kindWith({ naming: 'sections' });
    const { topology } = cluster(kind, ...base, timeouts('l', ['HTTPRoute two'], { request: 1 }));
    const http = 'gateway.gateway.networking.k8s.io:shop/edge#http';
    const effective = effectivePolicies(topology, kind, { verdict: () => ({ message: 'No.', ancestors: [http] }) });
    const [report] = reportPolicies(effective);
    expect(report?.ancestors.map(({ ancestorRef, outcome }) => [ancestorRef.sectionName, outcome])).toEqual([
      ['http', 'invalid'],
      ['https', 'enforced'],
    ]);
  });

  it('has the ancestors of a target with nothing below', () => {
    const bare = { ...route('bare', ['edge#http']), spec: { parentRefs: [ref('Gateway edge#http')], rules: [] } };
    expect(entriesOn('HTTPRoute bare', { naming: 'sections' }, bare)).toEqual(['Gateway edge#http: not-in-any-path']);
  });

  it('names each listener for a policy on its namespace that is in force at listeners', () => {
    const kind = timeoutKind('TimeoutPolicy', {
      targets: [Namespace, Gateway],
      effectiveTargets: [Gateway.sections.listener],
      ancestorEntries: { naming: 'sections' },
      namespaceLevels: [Gateway],
    });
    const shop: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const policy = timeouts('p', ['Namespace shop'], { request: 1 }, { seconds: 0 });
    const { topology, effective } = cluster(kind, shop, edge, policy);
    const sections = () => reportPolicies(effective)[0]?.ancestors.map(({ ancestorRef }) => ancestorRef.sectionName);
    expect(sections()).toEqual(['http', 'https']);
    topology.apply({ upsert: [timeouts('p', ['Namespace shop'], { request: 2 }, { seconds: 0 })] });
    expect(sections()).toEqual(['http', 'https']);
  });

  it.each<[string, object[], string[]]>([
    [
      'a port that no listener has',
      [
        { name: 'edge', port: 1 },
        { name: 'edge', sectionName: 'http' },
      ],
      ['http'],
    ],
    ['a port of a listener', [{ name: 'edge', port: 444 }], ['(whole)']],
    [
      'a section, and a port that the section does not have',
      [
        { name: 'edge', sectionName: 'http', port: 444 },
        { name: 'edge', sectionName: 'https' },
      ],
      ['https'],
    ],
    [
      'a port of one listener, and another listener',
      [
        { name: 'edge', port: 444 },
        { name: 'edge', sectionName: 'http' },
      ],
      ['(whole)', 'http'],
    ],
  ])('names the targets of parentRefs that name %s', (_, parentRefs, expected) => {
    const named = { ...route('ported', []), spec: { parentRefs, rules: [{ name: 'pay' }] } };
    const policy = timeouts('p', ['HTTPRoute ported'], { request: 1 });
    const { effective } = cluster(kindWith({ naming: 'sections' }), open, named, policy);
    const [report] = reportPolicies(effective);
    expect(report?.ancestors.map(({ ancestorRef }) => ancestorRef.sectionName ?? '(whole)')).toEqual(expected);
  });

  it('follows a route that names a section after an edit', () => {
    const policy = timeouts('p', ['HTTPRoute one'], { request: 1 });
    const single = gateway('single', ['http']);
    const { topology, effective } = cluster(kindWith({ naming: 'sections' }), single, route('one', ['single']), policy);
    const entries = () => reportPolicies(effective)[0]?.ancestors.map(({ ancestorRef }) => ancestorRef.sectionName);
    expect(entries()).toEqual([undefined]);
    const options = { controllerName: 'example.com/gateways', now: new Date('2026-01-02T03:04:05Z') };
    topology.apply({ upsert: planStatus(effective, options).writes.map(({ result }) => result) });
    effective.takeChanges();
    topology.apply({ upsert: [route('one', ['single#http'])] });
    const { writes } = planStatus(effective, { ...options, changes: [effective.takeChanges()] });
    expect(writes).toEqual(planStatus(effective, options).writes);
    expect(entries()).toEqual(['http']);
    expect(writes.map(({ ref: { kind } }) => kind)).toContain('TimeoutPolicy');
  });
});
