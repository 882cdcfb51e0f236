import { describe, expect, it } from 'vitest';
import { folderWith, routes } from '../changes/cli.fixture.ts';

const guarantee = (spec: string) => `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: g }
spec: ${spec}
`;
const verify = (files: Readonly<Record<string, string>>) =>
  folderWith(files).gwpolicy('verify', '-f', '@cluster', '@g.yaml');

describe("an entry of a guarantee's list that selects no requests", () => {
  const idle = `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: idle, namespace: attic, labels: { tier: idle } }
spec: { rules: [{ matches: [{ path: { type: PathPrefix, value: /idle } }] }] }
`;
  const labelled = routes
    .replace('name: http,', 'name: http, hostname: shop.example.com,')
    .replace(
      'from: All } } }',
      'from: All } } }\n    - { name: spare, port: 81, protocol: HTTP, hostname: spare.test }',
    )
    .replace('namespace: shop }', 'namespace: shop, labels: { tier: pay } }')
    .replace('name: cart, namespace: shop', 'name: cart, namespace: shop, labels: { tier: cart }');
  const tiers = (values: string) =>
    `{ labels: { matchExpressions: [{ key: tier, operator: In, values: ${values} }] } }`;
  const wrong = 'correct it, or set mayBeEmpty: true';

  it.each([
    [
      'a hostname',
      '{ hostnames: [shop.example.com, shpo.example.com] }',
      'shpo.example.com',
      'did you mean shop.example.com?',
    ],
    ['an only hostname', '{ hostnames: [shpo.example.com] }', 'shpo.example.com', 'did you mean shop.example.com?'],
    ['a strange hostname', '{ hostnames: [shop.example.com, bank.org] }', 'bank.org', wrong],
    ['a path', '{ paths: [{ value: /pay }, { value: /crat }] }', '/crat', 'did you mean /cart?'],
    [
      'a path of another route',
      '{ routes: { names: [cart] }, paths: [{ value: /cart }, { value: /track }] }',
      '/track',
      wrong,
    ],
    ['a method', '{ methods: [GET, DELTE] }', 'DELTE', 'did you mean DELETE?'],
    ['a listener without routes', '{ listeners: [http, spare] }', 'spare', wrong],
    ['a route without a Gateway', '{ routes: { names: [cart, idle] } }', 'idle', wrong],
    ['the namespace of such a route', '{ routes: { namespaces: [shop, attic] } }', 'attic', wrong],
    ['a value of a label', `{ routes: ${tiers('[pay, crat]')} }`, 'crat', 'did you mean cart?'],
    ['an only label', '{ routes: { labels: { matchLabels: { tire: pay } } } }', 'tire', 'did you mean tier?'],
    ['a value of an only label', '{ routes: { labels: { matchLabels: { tier: pya } } } }', 'pya', 'did you mean pay?'],
  ])('refuses %s, at its place, unless it may be empty', async (_, selector, entry, remedy) => {
    const methods = labelled
      .replaceAll('/cart } }', '/cart }, method: GET }')
      .replaceAll('/pay } }', '/pay }, method: DELETE }');
    const files = { 'cluster/routes.yaml': methods.replaceAll('/track } }', '/track }, method: GET }') + idle };
    const refused = guarantee(`{ holds: "true", requests: ${selector} }`);
    const { code, stderr } = await verify({ ...files, 'g.yaml': refused });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${entry} selects no requests; ${remedy}`)]);
    expect(stderr).toMatch(/g\.yaml:4:\d+: /);
    const allowed = guarantee(`{ holds: "true", mayBeEmpty: true, requests: ${selector} }`);
    expect((await verify({ ...files, 'g.yaml': allowed })).code).toBe(0);
  });

  it.each([
    ['that another entry makes a part of', '{ paths: [{ value: /pay }, { value: /pay/card }] }'],
    ['of a method that no rule takes yet', '{ methods: [GET, PUT] }'],
    ['that exceptions leave out', '{ hostnames: [shop.example.com, "*.example.com"] }'],
  ])('accepts an entry %s', async (_, selector) => {
    const files = {
      'cluster/routes.yaml': labelled,
      'g.yaml': guarantee(`{ holds: "true", requests: ${selector} }`),
    };
    expect((await verify(files)).code).toBe(0);
  });
});

describe('an object that a guarantee selects by name', () => {
  const backed = routes.replace(
    'rules: [{ name: pay,',
    'rules: [{ name: pay, backendRefs: [{ name: vault, port: 80 }],',
  );

  it('can be a backend that only a route names: it may exist, and the guarantee is undecided', async () => {
    const files = {
      'cluster/routes.yaml': backed,
      'g.yaml': guarantee('{ holds: "true", requests: { backends: { namespaces: [shop], names: [vault] } } }'),
    };
    const { code, stdout } = await verify(files);
    expect([code, stdout]).toEqual([
      4,
      expect.stringContaining('refers to Service shop/vault, which is not in this input'),
    ]);
  });

  it('is an error if no route names it, either', async () => {
    const files = {
      'cluster/routes.yaml': backed,
      'g.yaml': guarantee('{ holds: "true", requests: { backends: { names: [vualt] } } }'),
    };
    const { code, stderr } = await verify(files);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('vualt is not a backend of the input; did you mean vault?'),
    ]);
  });

  it('may be in input that is not rendered', async () => {
    const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: edge, namespace: infra }
spec: { chart: { spec: { chart: edge, sourceRef: { kind: HelmRepository, name: edge } } } }
`;
    const spec = '{ holds: "true", requests: { gateways: { names: [pubic] }, hostnames: [a.test, b.test] } }';
    const files = { 'cluster/routes.yaml': routes, 'cluster/release.yaml': release, 'g.yaml': guarantee(spec) };
    const { code, stdout } = await verify(files);
    expect([code, stdout]).toEqual([4, expect.stringContaining('is not rendered, and may contain routes')]);
  });
});
