import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { folderWith } from '../changes/cli.fixture.ts';
import { edge, login, policy } from '../covering/shop.fixture.ts';

const page = readFileSync(new URL('../../../../../docs/guarantees.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('### Examples for security teams');
const [, text = ''] = section.split('```yaml\n');
const documents = (text.split('```')[0] ?? '').split('---\n');
const guarantees = new Map(
  documents.map((document) => [String(parseAllDocuments(document)[0]?.toJS().metadata.name), document]),
);

const group = 'gateway.networking.k8s.io';
const namespace = (name: string, labels = '{}') => `---
apiVersion: v1
kind: Namespace
metadata: { name: ${name}, labels: ${labels} }
`;
const service = (name: string, labels = '{}') => `---
apiVersion: v1
kind: Service
metadata: { name: ${name.split('/')[1]}, namespace: ${name.split('/')[0]}, labels: ${labels} }
spec: { ports: [{ port: 80 }] }
`;
const route = (name: string, host: string, matches = '[{ path: { value: / } }]') => `---
apiVersion: ${group}/v1
kind: HTTPRoute
metadata: { name: ${name.split('/')[1]}, namespace: ${name.split('/')[0]} }
spec:
  hostnames: [${host}]
  parentRefs: [{ name: public, namespace: infra }]
  rules: [{ matches: ${matches}, backendRefs: [{ name: web, port: 80 }] }]
`;
const auth = (name: string, year: number) => `---
apiVersion: kuadrant.io/v1
kind: AuthPolicy
metadata: { name: ${name}, namespace: infra, creationTimestamp: "${year}-01-01T00:00:00Z" }
spec:
  targetRef: { group: ${group}, kind: Gateway, name: public }
  overrides: { rules: { authentication: { ${name}: { apiKey: { selector: {} } } } } }
`;
const world = (...objects: readonly string[]) =>
  [edge(), namespace('infra'), namespace('shop'), service('shop/web'), ...objects].join('');
const shop = route('shop/shop', 'shop.example.com');
const reads = '[{ path: { value: / }, method: GET }, { path: { value: / }, method: HEAD }]';
const healthz = route('shop/health', 'shop.example.com', '[{ path: { type: Exact, value: /healthz } }]');
const payments = `${namespace('payments', '{ host: pay.example.com }')}${service('payments/web')}`;
const cors = policy('shop/own', 'HTTPRoute shop', 'cors: { allowOrigins: ["https://a.example.com"] }');

/** A sound cluster for each guarantee, and one that breaks it, with a request. */
const worlds: readonly (readonly [name: string, sound: string, broken: string, request: string])[] = [
  ['jwt-on-admin', world(login, shop), world(login, shop, cors), 'https://shop.example.com/admin'],
  [
    'get-and-head-only',
    world(route('shop/shop', 'shop.example.com', reads)),
    world(shop),
    'POST https://shop.example.com/',
  ],
  [
    'one-namespace-serves-a-host',
    world(payments, route('payments/pay', 'pay.example.com')),
    world(
      payments,
      route('payments/pay', 'pay.example.com'),
      route('shop/pay', 'pay.example.com', '[{ path: { value: /new } }]'),
    ),
    'https://pay.example.com/new',
  ],
  [
    'each-namespace-serves-its-host',
    world(payments, route('payments/pay', 'pay.example.com')),
    world(payments, route('payments/pay', 'shop.example.com')),
    'https://shop.example.com/',
  ],
  [
    'no-internal-services',
    world(shop),
    world(shop).replace('labels: {} }\nspec: { ports', 'labels: { internal: "" } }\nspec: { ports'),
    'https://shop.example.com/',
  ],
  [
    'overrides-prevail',
    world(shop, auth('first', 2020)),
    world(shop, auth('first', 2020), auth('second', 2021)),
    'https://shop.example.com/',
  ],
  ['healthz-answers-without-login', world(healthz), world(healthz, login), 'https://shop.example.com/healthz'],
  ['healthz-answers-without-login', world(shop), world(), 'https://shop.example.com/healthz'],
  [
    'no-shadowing',
    world(shop, payments, route('payments/pay', 'pay.example.com')),
    world(shop, payments, route('payments/pay', 'shop.example.com', '[{ path: { value: /pay } }]')),
    'https://shop.example.com/pay',
  ],
  [
    'anonymous-requests-do-not-reach-admin',
    world(login, shop),
    world(login, shop, cors),
    'https://shop.example.com/admin',
  ],
];

describe('the guarantees of docs/guarantees.md for security teams', () => {
  it('are all tried', () => {
    expect(new Set([...worlds.map(([name]) => name), 'nothing-newly-open'])).toEqual(new Set(guarantees.keys()));
  });

  it.each(worlds)(
    '%s holds for a sound cluster, and finds the request that breaks it',
    async (name, sound, broken, request) => {
      const answers = [sound, broken].map((text) => {
        const folder = folderWith({ 'a.yaml': text, 'g.yaml': guarantees.get(name) ?? '' });
        return folder.gwpolicy('verify', '-f', '@a.yaml', '@g.yaml');
      });
      const [held, found] = await Promise.all(answers);
      expect([held?.code, held?.stdout]).toEqual([0, expect.stringContaining('holds')]);
      expect([found?.code, found?.stdout]).toEqual([1, expect.stringContaining(request)]);
    },
  );

  it('nothing-newly-open finds a new route without login, and no route with requests that were open', async () => {
    const open = (before: string, after: string) =>
      folderWith({
        'before/a.yaml': before,
        'after/a.yaml': after,
        'g.yaml': guarantees.get('nothing-newly-open') ?? '',
      }).gwpolicy('diff', '@before', '@after', '--guarantees', '@g.yaml', '--fail-on', 'lost');
    const { code, stdout } = await open(world(healthz), world(healthz, shop));
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('GET https://shop.example.com/ is taken by HTTPRoute shop/shop'),
    ]);
    expect(await open(world(shop), world(shop, healthz))).toMatchObject({ code: 0 });
  });
});
