import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { folderWith } from './changes/cli.fixture.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';
const gateway = {
  apiVersion,
  kind: 'Gateway',
  metadata: { name: 'edge', namespace: 'shop' },
  spec: { gatewayClassName: 'c', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
};

const at = (value: string, more: object = {}) => ({ path: { type: 'Exact', value }, ...more });

/** A route to the Gateway with a rule for each list of matches. */
function route(name: string, created: string | undefined, rules: Readonly<Record<string, readonly object[]>>) {
  return {
    apiVersion,
    kind: 'HTTPRoute',
    metadata: { name, namespace: 'shop', ...(created && { creationTimestamp: `${created}T00:00:00Z` }) },
    spec: {
      parentRefs: [{ name: 'edge' }],
      hostnames: ['shop.example'],
      rules: Object.entries(rules).map(([name, matches]) => ({ name, matches })),
    },
  };
}

function retries(name: string, target: string, sectionName?: string) {
  const ref = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: target, sectionName };
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'BackendTrafficPolicy',
    metadata: { name, namespace: 'shop' },
    spec: { targetRefs: [ref], retry: { numRetries: 2 } },
  };
}

async function answersAbout(...objects: readonly object[]) {
  const folder = folderWith({ 'all.yaml': objects.map((it) => stringify(it)).join('---\n') });
  const ask = async (...args: readonly string[]) =>
    JSON.parse((await folder.gwpolicy(...args, '-f', '@', '-o', 'json')).stdout);
  const { items: findings } = await ask('lint', '--fail-on', 'none');
  const { items: states } = await ask('get', 'policies', '-A');
  const page = await folder.gwpolicy('report', '-f', '@');
  const ofPolicy = async (name: string) => {
    const { outcome, scopes } = await ask('reach', `backendtrafficpolicy/shop/${name}`);
    return [outcome, ...scopes.map((scope: { outcome: string }) => scope.outcome)];
  };
  const tree = await folder.gwpolicy('tree', '-f', '@');
  return {
    page: page.stdout,
    tree: tree.stdout,
    ofPolicy,
    findings: findings.flatMap(({ code, pointer, message }: Record<string, string>) =>
      code === 'no-requests' || code === 'undecided' ? [[pointer, message]] : [],
    ),
    states: Object.fromEntries(
      states.map(({ policy, outcome, message }: { policy: { name: string }; outcome: string; message: string }) => [
        policy.name,
        `${outcome}: ${message}`,
      ]),
    ),
  };
}

describe('a route that receives no requests', () => {
  const old = route('old', '2026-01-01', { main: [at('/x')] });

  it('is a finding with the route that takes its requests, and policies on it have the outcome no-requests', async () => {
    const { findings, states, page, tree, ofPolicy } = await answersAbout(
      gateway,
      old,
      route('new', '2026-01-02', { main: [at('/x')] }),
      retries('p', 'new'),
    );
    expect(findings).toEqual([
      [
        undefined,
        'HTTPRoute shop/new receives no requests, because HTTPRoute shop/old#main takes them first; change its matches, or remove it; without effect there: BackendTrafficPolicy shop/p',
      ],
    ]);
    expect(states).toEqual({ p: 'no-requests: No requests reach HTTPRoute shop/new#main; see lint.' });
    expect(page).toContain('"no-requests","No requests reach HTTPRoute shop/new#main; see lint."');
    expect(tree).toContain('BackendTrafficPolicy p (no-requests)');
    expect(await ofPolicy('p')).toEqual(['no-requests', 'no-requests']);
    expect(page).toContain('HTTPRoute shop/new receives no requests');
  });

  it('is a change of the policies on a route if an added route takes its requests', async () => {
    const policy = retries('p', 'new');
    const kept = [gateway, route('new', '2026-01-02', { main: [at('/x')] }), policy];
    const text = (objects: readonly object[]) => objects.map((it) => stringify(it)).join('---\n');
    const folder = folderWith({ 'before/all.yaml': text(kept), 'after/all.yaml': text([...kept, old]) });
    const { stdout } = await folder.gwpolicy('diff', '@/before', '@/after', '-o', 'json');
    expect(JSON.parse(stdout).policies).toEqual([
      expect.objectContaining({
        policy: expect.objectContaining({ name: 'p' }),
        before: 'enforced',
        after: 'no-requests',
        isLost: true,
      }),
    ]);
  });

  it('is one finding for each rule if others receive some, and a policy on the route is in force there', async () => {
    const { findings, states } = await answersAbout(
      gateway,
      old,
      route('new', '2026-01-02', { one: [at('/x')], two: [at('/y')] }),
      retries('whole', 'new'),
      retries('part', 'new', 'one'),
    );
    expect(findings).toEqual([
      [
        '/spec/rules/0',
        'HTTPRoute shop/new#one receives no requests, because HTTPRoute shop/old#main takes them first; change its matches, or remove it; without effect there: BackendTrafficPolicy shop/part',
      ],
    ]);
    expect(states.part).toBe('no-requests: No requests reach HTTPRoute shop/new#one; see lint.');
    expect(states.whole).toMatch(/^enforced: .*No requests reach HTTPRoute shop\/new#one; see lint\.$/);
  });

  it('is reported if its backend is not in the input', async () => {
    const withBackend = (of: ReturnType<typeof route>) => {
      const rules = of.spec.rules.map((rule) => ({ ...rule, backendRefs: [{ name: 'gone', port: 80 }] }));
      return { ...of, spec: { ...of.spec, rules } };
    };
    const shadowed = route('new', '2026-01-02', { main: [at('/x')] });
    const { findings } = await answersAbout(gateway, withBackend(old), withBackend(shadowed));
    expect(findings).toEqual([[undefined, expect.stringContaining('HTTPRoute shop/old#main takes them first')]]);
  });

  it.each([
    ['one of its matches receives some', [old, route('new', '2026-01-02', { main: [at('/x'), at('/z')] })]],
    [
      'a regular expression and a prefix decide, for a data plane that is not known',
      [
        route('old', '2026-01-01', { main: [{ path: { type: 'RegularExpression', value: '/x.*' } }] }),
        route('new', '2026-01-02', { main: [{ path: { value: '/x' } }] }),
      ],
    ],
    [
      'the other one asks for more',
      [
        route('old', '2026-01-01', { main: [at('/x', { method: 'GET' })] }),
        route('new', '2026-01-02', { main: [at('/x')] }),
      ],
    ],
  ])('is not reported if %s', async (_reason, routes) => {
    expect((await answersAbout(gateway, ...routes)).findings).toEqual([]);
  });

  it('is not known without ages, which is one finding, and the outcome of policies on one', async () => {
    const one = route('one', undefined, { main: [at('/x')] });
    const two = route('two', undefined, { main: [at('/x')] });
    const onBoth = retries('both', 'one');
    onBoth.spec.targetRefs.push(...retries('', 'two').spec.targetRefs);
    expect((await answersAbout(gateway, one, two, onBoth)).states.both).toMatch(/^enforced: /);
    const { findings, states, ofPolicy } = await answersAbout(gateway, one, two, retries('p', 'two'));
    const text =
      'HTTPRoute shop/one receives no requests if HTTPRoute shop/two#main is older, and their ages are not known; change the matches of one';
    expect(findings).toEqual([[undefined, text]]);
    const message = 'Whether requests reach HTTPRoute shop/two#main depends on the ages of routes; see lint.';
    expect(states.p).toBe(`undecided: ${message}`);
    expect(await ofPolicy('p')).toEqual(['undecided', 'undecided']);
  });

  it('leaves a policy overridden where another one overrides it, whatever the ages are', async () => {
    const routes = [route('one', undefined, { main: [at('/x')] }), route('two', undefined, { main: [at('/x')] })];
    const below = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' };
    const onGateway = { ...retries('gate', ''), spec: { targetRefs: [below], retry: { numRetries: 1 } } };
    const { ofPolicy } = await answersAbout(gateway, ...routes, retries('p', 'two'), onGateway);
    const [, ...outcomes] = await ofPolicy('gate');
    expect(outcomes.sort()).toEqual(['overridden', 'undecided']);
    expect(await ofPolicy('p')).toEqual(['undecided', 'undecided']);
  });

  it('is reported for a rule that repeats another one, beside a rule that depends on ages', async () => {
    const twice = route('twice', undefined, { one: [at('/x')], two: [at('/x')] });
    const { findings } = await answersAbout(gateway, twice, route('other', undefined, { main: [at('/x')] }));
    expect(findings).toEqual([
      ['/spec/rules/1', expect.stringContaining('because HTTPRoute shop/twice#one takes them first;')],
      [undefined, expect.stringContaining('other receives no requests if HTTPRoute shop/twice#one is older,')],
    ]);
  });

  it('is reported without ages if a request cannot meet all conditions of a match', async () => {
    const all = route('all', undefined, { main: [{ path: { type: 'Exact', value: '/x' } }] });
    const narrow = route('narrow', undefined, { main: [at('/x#y')] });
    expect((await answersAbout(gateway, all, narrow)).findings).toEqual([
      [
        undefined,
        'HTTPRoute shop/narrow receives no requests, because a request cannot meet all conditions of a match; change its matches, or remove it',
      ],
    ]);
  });
});

describe('a listener that takes no requests', () => {
  const listener = (name: string, more: object = {}) => ({ name, port: 80, protocol: 'HTTP', ...more });
  const conflicted = { ...gateway, spec: { gatewayClassName: 'c', listeners: [listener('a'), listener('b')] } };
  const onListener = {
    ...retries('gate', 'edge', 'a'),
    spec: {
      targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge', sectionName: 'a' }],
      retry: { numRetries: 2 },
    },
  };

  it('leaves the rules below it without requests, and its policies and theirs without effect', async () => {
    const shop = route('shop', '2026-01-01', { main: [at('/x')] });
    const { findings, states } = await answersAbout(conflicted, shop, retries('p', 'shop'));
    expect(findings).toEqual([
      [
        undefined,
        'HTTPRoute shop/shop receives no requests, because Gateway shop/edge#b takes none (hostname conflict); correct the listener, or remove it; without effect there: BackendTrafficPolicy shop/p',
      ],
    ]);
    expect(states).toEqual({ p: 'no-requests: No requests reach HTTPRoute shop/shop#main; see lint.' });
    const ofListener = await answersAbout(conflicted, shop, onListener);
    expect(ofListener.states).toEqual({ gate: 'no-requests: No requests reach Gateway shop/edge#a; see lint.' });
  });

  it('does not count if another listener of the route takes requests', async () => {
    const both = { ...conflicted.spec, listeners: [listener('a'), listener('b'), listener('c', { port: 81 })] };
    const shop = route('shop', '2026-01-01', { main: [at('/x')] });
    const { states } = await answersAbout({ ...conflicted, spec: both }, shop, retries('p', 'shop'));
    expect(states).toEqual({ p: expect.stringMatching(/^enforced/) });
  });
});
