import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patched } from './data/patch.ts';
import { Report } from './data/report.ts';
import type { ReportData } from './data/report-data.ts';
import { liveReport } from './live-report.ts';
import { plainData } from './plain-data.fixture.ts';
import { reportData } from './report-page.ts';
import { runs } from './runs.fixture.ts';
import { histories, kinds, policy, refTo, resource } from './worlds.fixture.ts';

const now = new Date('2026-06-17T14:00:00Z');

function liveOf(objects: readonly KubernetesObject[], delegation = false) {
  const topology = createTopology({ targetKinds: gatewayApi({ delegation }), policyKinds: kinds });
  topology.apply({ upsert: objects });
  const views = kinds.map((kind) => effectivePolicies<unknown>(topology, kind));
  return { topology, views, live: liveReport({ topology, views }) };
}

const read = (json: string): ReportData => JSON.parse(json);

describe('liveReport', () => {
  it('equals a page made from scratch after any changes, and returns the difference', () => {
    fc.assert(
      fc.property(histories, ({ first, steps }) => {
        const { topology, views, live } = liveOf(first);
        let shown = read(live.update({ now }).json);
        let report = new Report(shown);
        for (const step of steps) {
          topology.apply(step);
          const { patch, json } = live.update({ now });
          if (patch === undefined) shown = read(json);
          else shown = patched(shown, JSON.parse(patch));
          expect(shown).toEqual(read(json));
          report = new Report(shown, patch === undefined ? undefined : report);
          const afresh = new Report(read(json));
          expect([report.nodes, report.policies]).toEqual([afresh.nodes, afresh.policies]);
          expect(plainData(shown)).toEqual(plainData(read(reportData({ topology, views, now }))));
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

const specOfGateway = { gatewayClassName: 'edge', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] };
const gateway = resource('Gateway', 'gw', specOfGateway);
const routeOf = (index: number, rules = 2) =>
  resource('HTTPRoute', `route-${index}`, {
    parentRefs: [{ name: 'gw' }],
    rules: Array.from({ length: rules }, () => ({ backendRefs: [{ name: `svc-${index}`, port: 80 }] })),
  });
const patience = (index: number, request: string) =>
  policy('TimeoutPolicy', `policy-${index}`, [refTo('HTTPRoute', `route-${index}`)], { request });

/** Returns a Gateway with routes, each with a Service and a policy of its own. */
const wide = (routes: number): readonly KubernetesObject[] => [
  resource('Namespace', 'shop'),
  gateway,
  policy('TimeoutPolicy', 'above', [refTo('Gateway', 'gw')], { request: '30s' }),
  ...Array.from({ length: routes }, (_, index) => [
    routeOf(index),
    resource('Service', `svc-${index}`, { ports: [{ name: 'web', port: 80 }] }),
    patience(index, `${(index % 60) + 1}s`),
  ]).flat(),
];

describe('an update', () => {
  it.each([
    ['a policy is edited', { upsert: [patience(7, '99s')] }],
    ['a policy is deleted', { remove: [patience(7, '99s')] }],
    ['a route comes', { upsert: [routeOf(1_000)] }],
    ['a route gets another rule', { upsert: [routeOf(7, 3)] }],
    ['a route is deleted', { remove: [routeOf(7)] }],
  ])('after %s collects and sends as much on a large cluster as on a small one', (_what, change) => {
    const [small, large] = [20, 200].map((routes) => {
      const { topology, live } = liveOf(wide(routes));
      const { json } = live.update({ now, issues: [] });
      topology.apply(change);
      const { collected, patch = '' } = live.update({ now, issues: [] });
      return { collected, sent: patch.length, all: json.length };
    });
    expect(large?.collected).toEqual(small?.collected);
    expect(large?.sent).toBeLessThan((large?.all ?? 0) / 10); // The names of all routes at the listener, at most.
  });

  it('counts the paths to a whole Service again when a listener far above it comes', () => {
    const route = resource('HTTPRoute', 'route', {
      parentRefs: [{ name: 'gw' }],
      rules: [{ backendRefs: [{ name: 'svc', port: 80 }] }],
    });
    const service = resource('Service', 'svc', { ports: [{ name: 'web', port: 80 }] });
    const above = policy('UpstreamPolicy', 'above', [refTo('Gateway', 'gw')], { request: '1s' });
    const { topology, views, live } = liveOf([gateway, route, service, above]);
    live.update({ now });
    const listeners = [...specOfGateway.listeners, { name: 'other', port: 81, protocol: 'HTTP' }];
    topology.apply({ upsert: [resource('Gateway', 'gw', { ...specOfGateway, listeners })] });
    expect(plainData(read(live.update({ now }).json))).toEqual(plainData(read(reportData({ topology, views, now }))));
  });

  it('forgets the choices of requests at a target that is gone', () => {
    const other = resource('Gateway', 'other', specOfGateway);
    const toBoth = resource('HTTPRoute', 'both', {
      parentRefs: [{ name: 'gw' }, { name: 'other' }],
      rules: [{ backendRefs: [{ name: 'svc', port: 80 }] }],
    });
    const service = resource('Service', 'svc', { ports: [{ name: 'web', port: 80 }] });
    const above = policy('BackendPolicy', 'above', [refTo('Gateway', 'gw')], { request: '1s' });
    const { topology, views, live } = liveOf([gateway, other, toBoth, service, above]);
    const choices = () =>
      read(live.update({ now }).json).views.flatMap((view) => view.choices.filter((row) => row !== 0));
    expect(choices()).not.toEqual([]);
    topology.apply({ remove: [service] });
    expect(choices()).toEqual([]);
    expect(plainData(read(live.update({ now }).json))).toEqual(plainData(read(reportData({ topology, views, now }))));
  });

  it('drops JSON that was not read before the next one', () => {
    const { live } = liveOf(wide(2));
    const [first, second] = [live.update({ now }), live.update({ now })];
    expect(() => first.json).toThrow('read its JSON before the next update');
    const { json } = second;
    live.update({ now });
    expect(second.json).toBe(json);
  });

  it('tells nothing new when nothing has changed', () => {
    const { live } = liveOf(wide(20));
    live.update({ now });
    const { patch, collected } = live.update({ now });
    expect(JSON.parse(patch ?? '')).toEqual({ fields: {} });
    expect(collected).toEqual({ targets: 0, contexts: 0, below: 0, policies: 0, rules: 0 });
  });

  it('starts over when the words for all layers change, because a policy writes defaults for the first time', () => {
    const { topology, views, live } = liveOf([gateway, routeOf(1)]);
    live.update({ now });
    topology.apply({
      upsert: [policy('TimeoutPolicy', 'first', [refTo('Gateway', 'gw')], { defaults: { request: '1s' } })],
    });
    const { patch, json } = live.update({ now });
    expect(patch).toBeUndefined();
    expect(plainData(read(json))).toEqual(plainData(read(reportData({ topology, views, now }))));
  });

  it('forgets the leftovers of edits, once they are most of all', () => {
    const { topology, views, live } = liveOf(wide(2));
    live.update({ now });
    let last = live.update({ now });
    for (let edit = 0; edit < 400 && last.patch !== undefined; edit += 1) {
      topology.apply({ upsert: [patience(1, `${edit} ${'x'.repeat(3_900)}`)] });
      last = live.update({ now });
    }
    expect(last.patch).toBeUndefined();
    expect(last.json.length).toBeLessThan(1.1 * reportData({ topology, views, now }).length);
  });

  it('forgets names that are gone, once they are most of all', () => {
    const { topology, live } = liveOf([gateway]);
    live.update({ now });
    const routes = Array.from({ length: 700 }, (_, index) => routeOf(index));
    topology.apply({ upsert: routes });
    live.update({ now });
    let last = live.update({ now });
    for (let at = 0; at < routes.length; at += 50) {
      topology.apply({ remove: routes.slice(at, at + 50) });
      last = live.update({ now });
      if (last.patch === undefined) break;
    }
    expect(last.patch).toBeUndefined();
    expect(read(last.json).targets).not.toContain(null);
  });
});
