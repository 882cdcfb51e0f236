import { readFileSync } from 'node:fs';
import { onTwoGateways, twoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { readCluster } from './cluster.ts';
import type { Request } from './lists.ts';
import { rowsFor } from './rows.ts';

const recorded: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL('../cluster.json', import.meta.url), 'utf8'),
);

/** Answers as the API server did, and with a status for some paths. */
function answering(statuses: Readonly<Record<string, number>> = {}): Request {
  return async (path) => {
    const status = statuses[path] ?? (path in recorded ? 200 : 404);
    if (status !== 200) throw Object.assign(new Error(`HTTP ${status}`), { status });
    return recorded[path];
  };
}

const route = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'payments', name: 'checkout' };

describe('a recorded cluster', () => {
  it('is read by the lists of the API server, also without kinds in the items', async () => {
    const { topology, missing } = await readCluster(answering());
    expect(topology.issues).toEqual([]);
    expect(missing).toEqual([]);
    expect(topology.get(route)?.sections.map(({ ref }) => ref.section)).toEqual(['pay', 'rule-2']);
  });

  it('has effective policies for a route: fields with values, origins and losses', async () => {
    const { views } = await readCluster(answering());
    const [timeouts] = views;
    const rows = timeouts === undefined ? [] : rowsFor(timeouts, route);
    const way = 'GatewayClass edge > Gateway infra/public#https';
    expect(rows).toContainEqual({
      where: `HTTPRoute payments/checkout#pay through ${way} and HTTPRoute payments/checkout#rule-2 through ${way}`,
      field: 'request',
      value: '15s',
      setBy: 'payments/slow-payments',
      lost:
        '20s of payments/slow-payments-new: payments/slow-payments is older (Patch defaults); ' +
        '30s of infra/house-rules: payments/slow-payments is more specific (Patch defaults)',
    });
  });

  it('lists the effective policies below a Gateway, equal ones once', async () => {
    const { views } = await readCluster(answering());
    const gateway = { group: route.group, kind: 'Gateway', namespace: 'infra', name: 'public' };
    const places = new Set(views.flatMap((view) => rowsFor(view, gateway)).map(({ where }) => where));
    expect([...places].some((where) => where.includes(' more'))).toBe(true);
  });

  it('has a row for each of two Gateways above a route with different overrides', async () => {
    const { topology, views } = await readCluster(async () => ({ items: [] }));
    for (const view of views.slice(0, 1)) {
      const specs = { public: { overrides: { request: '500s' } }, internal: { overrides: { request: '5s' } } };
      topology.apply({ upsert: [...twoGateways, ...onTwoGateways(view.kind, specs)] });
      const rows = rowsFor(view, { ...route, namespace: 'shop', name: 'cart' });
      expect(rows.map(({ where, value, setBy }) => [where, value, setBy])).toEqual([
        ['HTTPRoute shop/cart#all through Gateway shop/internal#http', '5s', 'shop/internal'],
        ['HTTPRoute shop/cart#all through Gateway shop/public#http', '500s', 'shop/public'],
      ]);
    }
  });

  it('asks for the next version of a kind where the first one does not exist', async () => {
    const [v1, beta] = ['v1', 'v1beta1'].map((version) => `/apis/gateway.networking.k8s.io/${version}/httproutes`);
    const older: Request = async (path) => {
      if (path === beta) return recorded[v1 ?? ''];
      return answering({ [v1 ?? '']: 404 })(path);
    };
    expect((await readCluster(older)).topology.get(route)).toBeDefined();
  });

  it('says which kinds may not be read', async () => {
    const services = '/api/v1/services';
    const { missing } = await readCluster(answering({ [services]: 403 }));
    expect(missing).toEqual(['Service cannot be read: HTTP 403']);
  });
});
