import { describe, expect, it } from 'vitest';
import { collect } from '../data/collect.ts';
import type { ReportCell, ReportCoverage } from '../data/coverage-rows.ts';
import { Report } from '../data/report.ts';
import { resource, worldOf } from '../worlds.fixture.ts';
import { Protection } from './protection.ts';

const names = ['cart', 'pay', 'search'];
const { topology, views } = worldOf([
  resource('Gateway', 'gw', { gatewayClassName: 'edge', listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] }),
  ...names.map((name) => resource('HTTPRoute', name, { parentRefs: [{ name: 'gw' }], rules: [{}] })),
]);
const node = (kind: string, name: string) => {
  const found = [...topology.targets].find(
    ({ ref }) => ref.kind === kind && ref.name === name && ref.section === undefined,
  );
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const cell = (status: string, state: string): ReportCell => ({
  status,
  state,
  source: 'x',
  reason: `${state} because`,
});
const covered = cell('covered', 'inherited');
const lost = cell('uncovered', 'lost');

/** Returns the protection of routes, each with the cells of its requests for the only concern. */
function protectionOf(
  requests: readonly (readonly [route: string, cell: ReportCell, hostname?: string])[],
  gone: readonly string[] = [],
) {
  const coverage: ReportCoverage = {
    concerns: [
      {
        title: 'authentication',
        isRequired: true,
        causes: [{ status: 'uncovered', cause: 'c', remedy: 'r', routes: [node('HTTPRoute', 'pay')] }],
      },
    ],
    requests: requests.map(([route, own, hostname = `${route}.example.com`]) => ({
      route: node('HTTPRoute', route),
      gateway: node('Gateway', 'gw'),
      hostnames: [hostname],
      cells: [own],
    })),
  };
  const data = collect({ topology, views, issues: [], title: '', now: new Date(0), coverage });
  const targets = data.targets.map((row) => (Array.isArray(row) && gone.includes(String(row[2])) ? null : row));
  const report = new Report({ ...data, targets });
  const protection = new Protection(report);
  const nameOf = (id: number) => report.node(id).name;
  return { protection, nameOf };
}

describe('Protection', () => {
  it('gives a route the worst cell of its requests, in any order', () => {
    for (const requests of [
      [covered, lost],
      [lost, covered],
    ]) {
      const { protection } = protectionOf(requests.map((own) => ['cart', own]));
      expect(protection.routes.map((route) => protection.cellOf(route, 0).shade)).toEqual(['uncovered']);
    }
  });

  it('counts routes by shade: covered from above, and by their own policies', () => {
    const { protection } = protectionOf([
      ['cart', covered],
      ['pay', cell('covered', 'own')],
      ['search', cell('unknown', 'unknown')],
    ]);
    expect(protection.counts(protection.routes, 0)).toMatchObject({ inherited: 1, own: 1, unknown: 1, uncovered: 0 });
  });

  it('never takes a status that it does not know for covered', () => {
    const { protection } = protectionOf([['cart', cell('new-status', 'own')]]);
    expect(protection.counts(protection.routes, 0)).toMatchObject({ unknown: 1, own: 0, inherited: 0 });
  });

  it('says how routes came to lack a concern', () => {
    const { protection } = protectionOf([
      ['cart', lost],
      ['pay', cell('uncovered', 'off')],
      ['search', cell('uncovered', 'none')],
    ]);
    expect(protection.lacking(0)).toEqual({ lost: 1, off: 1, none: 1 });
  });

  it('groups routes, those with holes first, and filters them by any of their names', () => {
    const { protection, nameOf } = protectionOf([
      ['cart', covered],
      ['pay', lost],
      ['search', covered, 'cart.example.com'],
    ]);
    const groups = (...args: Parameters<Protection['groups']>) =>
      protection.groups(...args).map(({ name, routes }) => [name, ...routes.map(({ id }) => nameOf(id))].join(' '));
    expect(groups('Hostname', 0)).toEqual(['pay.example.com shop/pay', 'cart.example.com shop/cart shop/search']);
    expect(groups('Namespace', 0, 'CART.example')).toEqual(['shop shop/cart shop/search']);
    expect(groups('Gateway', 0, 'nothing')).toEqual([]);
  });

  it('leaves out routes that are gone, if the coverage is older than the targets', () => {
    const { protection } = protectionOf(
      [
        ['cart', covered],
        ['pay', lost],
      ],
      ['pay'],
    );
    expect(protection.routes).toHaveLength(1);
    expect(protection.concerns[0]?.causes).toEqual([[expect.any(Number), expect.any(Number), expect.any(Number)]]);
  });

  it('puts equal routes together', () => {
    const { protection } = protectionOf([
      ['cart', covered],
      ['pay', lost],
      ['search', covered],
    ]);
    expect(protection.alike(protection.routes, 0).map(({ routes }) => routes.length)).toEqual([1, 2]);
  });

  it('folds routes that lose it to policies with other names', () => {
    const { protection } = protectionOf([
      ['cart', lost],
      ['pay', { ...lost, reason: 'another policy' }],
      ['search', { ...lost, source: 'y' }],
    ]);
    expect(protection.alike(protection.routes, 0).map(({ routes }) => routes.length)).toEqual([2, 1]);
  });

  it('finds the routes of a Gateway, and names the routes of a cause', () => {
    const { protection, nameOf } = protectionOf([
      ['cart', covered],
      ['pay', lost],
    ]);
    const [first] = protection.routes;
    expect(protection.routesAt(first?.gateways[0] ?? -1)).toHaveLength(2);
    const [[, , , ...routes] = []] = protection.concerns[0]?.causes ?? [];
    expect(routes.map((id) => nameOf(Number(id)))).toEqual(['shop/pay']);
  });
});
