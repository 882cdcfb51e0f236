import { type HttpRequest, traceRequest } from '@policy-machinery/gateway-api';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../runs.fixture.ts';
import { policy, refTo, requests, resource, resources, type World, worldOf } from '../worlds.fixture.ts';
import { OnTheWay } from './on-the-way.ts';
import { Requests } from './request-answer.ts';

/** Returns the answer of the topology to a request: at each port the rules, and the effective policies that the request meets. */
function saidByTopology({ topology, views }: World, request: HttpRequest): unknown {
  const nameOf = (route: TargetNode, rule: TargetNode | undefined) => formatTarget(rule ?? route);
  return traceRequest(topology, request).map(({ entry, port, listener, winner, lost, undecided }) => ({
    gateway: formatTarget(entry),
    port,
    listener: listener && formatTarget(listener),
    winner: winner && nameOf(winner.route, winner.rule),
    lost: lost.map(({ route, rule, lostBy }) => [nameOf(route, rule), lostBy]),
    undecided: undecided.map(({ route, rule }) => nameOf(route, rule)),
    met: views.flatMap((view) => {
      const met = [...(winner?.paths ?? [])].flatMap((path) => view.along(path));
      return [...new Set(met.map(({ target, fields }) => `${formatTarget(target)} ${shown(fields)}`))].sort();
    }),
  }));
}

function shown(fields: readonly { readonly pointer: string; readonly value: unknown }[]): string {
  return JSON.stringify(
    fields.map(({ pointer, value }) => [
      pointer,
      value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Returns the answer of the page to the same request. */
function saidByPage({ report }: World, request: HttpRequest): unknown {
  const onTheWay = new OnTheWay(report);
  const labelOf = (node: number | undefined) => (node === undefined ? undefined : report.node(node).label);
  const answers = new Requests(report).answer(request).map(({ gateway, port, listener, winner, lost, undecided }) => ({
    gateway: labelOf(gateway),
    port,
    listener: labelOf(listener),
    winner: labelOf(winner?.node),
    lost: lost.map(({ node, why }) => [labelOf(node), why]),
    undecided: undecided.map(({ node }) => labelOf(node)),
    met: report.data.views.flatMap(({ fields, groups }, view) => {
      if (winner === undefined) return [];
      const met = [...onTheWay.of(view, winner.node, winner.entry)].flatMap(([node, contexts]) =>
        contexts.flatMap(([group]) => {
          const rows = groups[group]?.[0].flatMap((place) => (fields[place] ? [fields[place]] : []));
          if (rows === undefined) return [];
          const values = rows.map(([pointer, value]) => {
            return { pointer: report.text(pointer), value: value === -1 ? undefined : report.text(value) };
          });
          return `${labelOf(node)} ${shown(values)}`;
        }),
      );
      return met.sort();
    }),
  }));
  return answers.sort(
    (a, b) => ((a.gateway ?? '') < (b.gateway ?? '') ? -1 : 1) * Number(a.gateway !== b.gateway) || a.port - b.port,
  );
}

describe('the answer to a request', () => {
  it('agrees with the topology: the listener, the rule, the losses and the policies on the way', () => {
    fc.assert(
      fc.property(resources, requests, (some, request) => {
        const world = worldOf(some);
        expect(saidByPage(world, request)).toEqual(saidByTopology(world, request));
      }),
      { numRuns: runs(200) },
    );
  });

  it('agrees with the topology where policies do not count at some Gateways', () => {
    const ours = ({ ref }: TargetNode): boolean => ref.kind !== 'Gateway' || ref.name !== 'gw-1';
    fc.assert(
      fc.property(resources, requests, (some, request) => {
        const world = worldOf(some, false, { ours });
        expect(saidByPage(world, request)).toEqual(saidByTopology(world, request));
      }),
      { numRuns: runs(200) },
    );
  });

  it('leaves out policies at a Gateway where they do not count', () => {
    const gateway = (name: string) =>
      resource('Gateway', name, { gatewayClassName: 'edge', listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] });
    const some = [
      gateway('inside'),
      gateway('outside'),
      resource('HTTPRoute', 'route', { parentRefs: [{ name: 'inside' }, { name: 'outside' }], rules: [{}] }),
      policy('TimeoutPolicy', 'patient', [refTo('HTTPRoute', 'route')], { request: '1s' }),
    ];
    const world = worldOf(some, false, { ours: ({ ref }) => ref.name !== 'inside' });
    const met = (saidByPage(world, {}) as readonly { readonly gateway: string; readonly met: readonly string[] }[]).map(
      (answer) => [answer.gateway, answer.met],
    );
    expect(met).toEqual([
      ['Gateway shop/inside', []],
      ['Gateway shop/outside', ['HTTPRoute shop/route#rule-1 [["/request","1s"]]']],
    ]);
  });

  it('leaves out policies of other Gateways that the route is attached to', () => {
    const gateway = (name: string) =>
      resource('Gateway', name, { gatewayClassName: 'edge', listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] });
    const world = worldOf([
      gateway('inside'),
      gateway('outside'),
      resource('HTTPRoute', 'route', { parentRefs: [{ name: 'inside' }, { name: 'outside' }], rules: [{}] }),
      policy('TimeoutPolicy', 'patient', [refTo('Gateway', 'outside')], { request: '1s' }),
    ]);
    const met = (saidByPage(world, {}) as readonly { readonly gateway: string; readonly met: readonly string[] }[]).map(
      (answer) => [answer.gateway, answer.met],
    );
    expect(met).toEqual([
      ['Gateway shop/inside', []],
      ['Gateway shop/outside', ['HTTPRoute shop/route#rule-1 [["/request","1s"]]']],
    ]);
  });

  it('follows delegation', () => {
    const backend = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' };
    const prefix = (value: string) => ({ matches: [{ path: { type: 'PathPrefix', value } }] });
    const world = worldOf(
      [
        resource('Gateway', 'gw-0', {
          gatewayClassName: 'edge',
          listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }],
        }),
        resource('HTTPRoute', 'parent', {
          parentRefs: [{ name: 'gw-0' }],
          hostnames: ['a.example.com'],
          rules: [{ ...prefix('/cart'), backendRefs: [{ ...backend, name: 'child' }] }, prefix('/')],
        }),
        resource('HTTPRoute', 'child', { rules: [prefix('/cart/pay'), prefix('/admin')] }),
      ],
      true,
    );
    for (const path of ['/cart/pay', '/cart/other', '/admin', '/']) {
      const [page] = saidByPage(world, { host: 'a.example.com', path }) as [{ readonly winner: unknown }];
      const [topology] = saidByTopology(world, { host: 'a.example.com', path }) as [{ readonly winner: unknown }];
      expect(page.winner).toEqual(topology.winner);
    }
  });
});
