import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';
import { bad, cors, edge, good, login, policy, route } from './shop.fixture.ts';

const twoRules = bad.replace(
  'rules: [{ backendRefs: [{ name: cart, port: 80 }] }]',
  'rules: [{ backendRefs: [{ name: cart, port: 80 }] }, { matches: [{ path: { value: /pay } }], backendRefs: [{ name: cart, port: 80 }] }]',
);
const limit = (name: string, target: string, fields: string) =>
  policy(name, target, fields).replace('kind: SecurityPolicy', 'kind: BackendTrafficPolicy');
const basic = 'basicAuth: { users: { name: u } }';

async function lint(manifests: string, ...args: readonly string[]) {
  const run = await folderWith({ 'a.yaml': manifests }).gwpolicy('lint', '-f', '@a.yaml', ...args);
  return { ...run, found: run.stdout.split('\n').filter((line) => line.includes('replaced-protection')) };
}

/** A route without authentication. */
const plain = `${edge()}${route('cart')}`;

describe('gwpolicy lint, of policies that replace the protection of others', () => {
  it('names the policy, the route and the remedy in one sentence, at the line of the policy', async () => {
    const { code, found } = await lint(twoRules, '-o', 'github', '--fail-on', 'error');
    const line = twoRules.split('\n').findIndex((text) => text.includes('name: cors')) - 2;
    expect(code).toBe(1);
    expect(found).toEqual([
      expect.stringMatching(
        new RegExp(
          `^::error file=.*a.yaml,line=${line + 1},.*::SecurityPolicy shop/cors replaces the authentication of Gateway infra/public for 2 rules of HTTPRoute shop/cart; set mergeType to keep it`,
        ),
      ),
    ]);
  });

  it.each<[what: string, manifests: string, severities: readonly string[]]>([
    ['mergeType is set', bad.replace('cors: {', 'mergeType: StrategicMerge, cors: {'), []],
    ['the policy has an authentication itself', bad.replace('cors: {', `${basic}, cors: {`), []],
    ['nothing is replaced', good, []],
    ['another policy than the authentication is replaced', good.replace('jwt', 'cors').concat(cors), []],
    [
      'the route accepts it',
      bad.replace(
        'name: cart, namespace: shop }',
        'name: cart, namespace: shop, annotations: { coverage.policy-machinery/accept: "authentication: open" } }',
      ),
      [],
    ],
    [
      'the authorization is replaced',
      bad.replace(
        'jwt: { providers: [{ name: a, remoteJWKS: { uri: "https://a" } }] }',
        'authorization: { defaultAction: Deny }',
      ),
      ['error'],
    ],
    [
      'an allowed number of requests is replaced',
      `${good}${limit('infra/limit', 'Gateway public', 'rateLimit: { type: Global, global: { rules: [{ limit: { requests: 1, unit: Second } }] } }')}${limit('shop/slow', 'HTTPRoute cart', 'timeout: { http: { requestTimeout: 2s } }')}`,
      ['note'],
    ],
  ])('reports it at the severity that it deserves: %s', async (_what, manifests, severities) => {
    const { stdout } = await folderWith({ 'a.yaml': manifests }).gwpolicy('lint', '-f', '@a.yaml', '-o', 'json');
    const items: readonly { code: string; severity: string }[] = JSON.parse(stdout).items;
    expect(items.filter(({ code }) => code === 'replaced-protection').map(({ severity }) => severity)).toEqual(
      severities,
    );
  });

  it('reports a requirement in the annotation of the Gateway as an error', async () => {
    const limits = `${limit('infra/limit', 'Gateway public', 'rateLimit: { type: Global, global: { rules: [{ limit: { requests: 1, unit: Second } }] } }')}${limit('shop/slow', 'HTTPRoute cart', 'timeout: { http: { requestTimeout: 2s } }')}`;
    const asking = `${edge('{ coverage.policy-machinery/require: rate-limit }')}${login}${route('cart')}${limits}`;
    const { code, stdout } = await lint(asking, '--fail-on', 'error');
    expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('BackendTrafficPolicy shop/slow replaces the rate limit of Gateway infra/public'),
    ]);
  });
});

describe('gwpolicy diff, of requests that lose their protection', () => {
  const diff = (before: string, after: string, ...args: readonly string[]) =>
    folderWith({ 'a/a.yaml': before, 'b/a.yaml': after }).gwpolicy('diff', '@a', '@b', ...args);
  const open = 'annotations: { coverage.policy-machinery/accept: "authentication: open" }';

  it.each<[what: string, before: string, after: string, lost: number, unprotected: number]>([
    ['a policy of the route replaces it', good, bad, 1, 1],
    [
      'all routes lose it',
      good,
      `${bad}${cors.replace('name: cors', 'name: c2').replace('name: cart', 'name: search')}`,
      1,
      1,
    ],
    ['its policy is deleted', good, good.replace(login, ''), 0, 1],
    ['it becomes optional', good, good.replace('jwt: {', 'jwt: { optional: true,'), 0, 1],
    ['a new route has none', good.replace(login, ''), `${good.replace(login, '')}${route('pay')}`, 0, 1],
    ['it was lost before', bad, `${bad}${route('pay')}`, 0, 0],
    ['it was missing before at a listener of another name', plain, plain.replace('name: https,', 'name: tls,'), 0, 0],
    ['it is kept', good, bad.replace('cors: {', 'mergeType: StrategicMerge, cors: {'), 0, 0],
    [
      'the change accepts it itself',
      good,
      bad.replace('name: cart, namespace: shop }', `name: cart, namespace: shop, ${open} }`),
      1,
      1,
    ],
    [
      'it was accepted before',
      good.replace('name: cart, namespace: shop }', `name: cart, namespace: shop, ${open} }`),
      bad.replace('name: cart, namespace: shop }', `name: cart, namespace: shop, ${open} }`),
      0,
      0,
    ],
    [
      'a new route lacks what the Gateway no longer requires',
      `${edge('{ coverage.policy-machinery/require: rate-limit }')}${login}`,
      `${edge()}${login}${route('pay')}`,
      0,
      1,
    ],
  ])('fails for --fail-on lost and unprotected, %s', async (_what, before, after, lost, unprotected) => {
    const codes = [];
    for (const failOn of ['lost', 'unprotected']) codes.push((await diff(before, after, '--fail-on', failOn)).code);
    expect(codes).toEqual([lost, unprotected]);
  });

  it('begins with them, each with the policy and the remedy', async () => {
    const { stdout } = await diff(good, bad);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^Protection ✓ → ✕ AUTHN cart.example.com\/ HTTPRoute shop\/cart SecurityPolicy shop\/cors replaces the authentication of Gateway infra\/public; set mergeType in shop\/cors to keep it 1 route loses protection, /,
    );
  });

  it('is said to programs', async () => {
    const { coverage } = JSON.parse((await diff(good, bad, '-o', 'json')).stdout);
    expect(coverage).toMatchObject([{ concern: 'authentication', route: 'HTTPRoute shop/cart', state: 'lost' }]);
  });
});
