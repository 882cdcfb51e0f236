import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';
import { bad, cors, good, login, policy, route } from '../covering/shop.fixture.ts';

const guarantee = (holds: string, more = '') => `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: asked }
spec: { holds: '${holds}'${more} }
`;

const verify = (text: string, holds: string, ...flags: readonly string[]) =>
  folderWith({ 'a.yaml': text, 'g.yaml': guarantee(holds) }).gwpolicy('verify', '-f', '@a.yaml', '@g.yaml', ...flags);

const covered = 'concerns.authentication in ["covered", "not-needed"]';

describe('a guarantee about a concern', () => {
  it('holds for requests that the Gateway protects', async () => {
    expect(await verify(good, covered)).toMatchObject({ code: 0 });
  });

  it('is broken by the requests with a policy that replaces the protection, and names it', async () => {
    const { code, stdout } = await verify(bad, covered);
    expect(code).toBe(1);
    expect(stdout).toContain('GET https://cart.example.com/');
    expect(stdout).not.toContain('search.example.com');
    expect(stdout).toContain(
      'authentication uncovered (lost: SecurityPolicy shop/cors replaces SecurityPolicy infra/login jwt',
    );
  });

  it('annotates the policy that causes it', async () => {
    const { stdout } = await verify(bad, covered, '-o', 'github');
    const line = bad.split('\n').findIndex((text) => text.includes('name: cors,')) - 1;
    expect(stdout).toMatch(new RegExp(`^::error file=.*a.yaml,line=${line}`));
  });

  it('is undecided if it is not known whether a concern is met, unless it does not matter', async () => {
    const wasm = policy(
      'shop/w',
      'HTTPRoute cart',
      'wasm: [{ name: w, code: { type: HTTP, http: { url: "https://w" } } }]',
    );
    const unknown = `${good.replace(login, '')}${wasm.replace('kind: SecurityPolicy', 'kind: EnvoyExtensionPolicy')}`;
    const { code, stdout } = await verify(unknown, `${covered} || route.name != "cart"`);
    expect([code, stdout]).toEqual([
      4,
      expect.stringContaining('whether requests of HTTPRoute shop/cart meet authentication ('),
    ]);
    expect(await verify(unknown, `${covered} || true`)).toMatchObject({ code: 0 });
  });

  it('says which concerns there are', async () => {
    const { code, stderr } = await verify(good, 'concerns.authn == "covered"');
    expect([code, stderr]).toEqual([2, expect.stringContaining('authentication')]);
  });
});

describe('a guarantee about the state before a change', () => {
  const opensNothing = `${covered} || (before.taken && !(before.${covered}))`;
  const compare = (before: string, after: string, holds: string, ...flags: readonly string[]) =>
    folderWith({ 'before/a.yaml': before, 'after/a.yaml': after, 'g.yaml': guarantee(holds) }).gwpolicy(...flags);
  const baseline = ['verify', '-R', '-f', '@after', '--baseline', '@before', '@g.yaml'];
  const diff = ['diff', '@before', '@after', '--guarantees', '@g.yaml', '--fail-on', 'lost'];

  it.each([
    ['verify --baseline', baseline],
    ['diff --guarantees', diff],
  ])('is broken by %s if requests that were protected are open', async (_name, flags) => {
    const { code, stdout } = await compare(good, bad, opensNothing, ...flags);
    expect(code).toBe(1);
    expect(stdout).toContain('before the change');
    expect((await compare(bad, bad, opensNothing, ...flags)).code).toBe(0);
    expect((await compare(bad, good, opensNothing, ...flags)).code).toBe(0);
  });

  it('is an error without such a state', async () => {
    const { code, stderr } = await verify(good, opensNothing);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('use "gwpolicy diff --guarantees" or "gwpolicy verify --baseline"'),
    ]);
  });
});

describe('diff --no-new-access', () => {
  const open = route('open');
  const unprotected = good.replace(login, '');
  const ingress = (name: string) => `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: way, namespace: shop }
spec: { ingressClassName: ${name} }
`;
  const patch = `---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyPatchPolicy
metadata: { name: patch, namespace: infra }
spec: { type: JSONPatch }
`;
  const optional = cors.replace('cors: {', 'mergeType: StrategicMerge, cors: {');

  it.each([
    [
      'a policy that replaces the protection',
      good,
      bad,
      1,
      'GET https://cart.example.com/ is taken by HTTPRoute shop/cart#rule-1',
    ],
    [
      'a new route without protection',
      unprotected,
      `${unprotected}${open}`,
      1,
      'before the change, it is taken by no rule',
    ],
    ['a new route with protection', good, `${good}${open}`, 0, 'No request is newly open.'],
    ['another policy that keeps it', good, `${good}${optional}`, 0, 'No request is newly open.'],
    [
      'a route that was open before',
      bad,
      bad.replace('rules: [{', 'rules: [{ name: first,'),
      0,
      'No request is newly open.',
    ],
    ['a route that is gone', `${good}${open}`, good, 0, 'No request is newly open.'],
    [
      'an Ingress that nothing looks at',
      good,
      `${good}${ingress('first')}`,
      4,
      '1 Ingress is not considered, and may route requests: shop/way',
    ],
    [
      'the same Ingress with another class',
      `${good}${ingress('first')}`,
      `${good}${ingress('second')}`,
      4,
      'may route requests: shop/way',
    ],
    [
      'an EnvoyPatchPolicy that is gone',
      `${good}${patch}`,
      good,
      4,
      'and may change how requests are treated: infra/patch',
    ],
    ['the same Ingress', `${good}${ingress('first')}`, `${good}${ingress('first')}`, 0, 'No request is newly open.'],
  ])('on %s', async (_what, before, after, code, text) => {
    const folder = folderWith({ 'before/a.yaml': before, 'after/a.yaml': after });
    const answer = await folder.gwpolicy('diff', '@before', '@after', '--no-new-access');
    expect([answer.code, answer.stdout]).toEqual([code, expect.stringContaining(text)]);
  });

  it('is undecided if input is not read', async () => {
    const folder = folderWith({ 'before/a.yaml': good, 'after/a.yaml': good, 'after/b.yaml': 'kind: [' });
    const { code, stdout } = await folder.gwpolicy('diff', '@before', '@after', '--no-new-access');
    expect([code, stdout]).toEqual([4, expect.stringContaining('It is undecided whether a request is newly open')]);
  });
});
