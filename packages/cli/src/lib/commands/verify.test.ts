import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

const guarantee = (name: string, spec: string) => `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: ${name} }
spec: ${spec}
`;
const retried = guarantee('retried', '{ holds: has(policies.RetryPolicy), description: Every request is retried. }');
const regex = routes.replace('{ type: PathPrefix, value: /cart }', '{ type: RegularExpression, value: /cart/(?=a).+ }');
const cluster = {
  'cluster/crd.yaml': retryPolicyDefinition,
  'cluster/routes.yaml': routes,
  'cluster/policies.yaml': retries('shop/pay', 'HTTPRoute checkout', 'attempts: 3'),
};

const verify = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  folderWith({ ...cluster, ...files }).gwpolicy('verify', '-f', '@cluster', ...args);

describe('gwpolicy verify', () => {
  it('shows the request that breaks a guarantee, the smallest of each cause', async () => {
    const { code, stdout, stderr } = await verify({ 'g.yaml': retried }, '@g.yaml');
    expect([code, stderr]).toEqual([1, '0 guarantees hold, 1 is broken.\n']);
    expect(stdout).toBe(`GUARANTEE   ANSWER   ABOUT
retried     broken   3 classes of requests

retried is broken: Every request is retried.
  GET http://example.com/cart
    taken by  HTTPRoute shop/cart#show
    path      Gateway infra/public#http > HTTPRoute shop/cart#show
    meets     no RetryPolicy
    cause     all requests of HTTPRoute shop/cart
    replay    gwpolicy request http://example.com/cart --gateway infra/public
  GET http://example.com/track
    taken by  HTTPRoute parcels/track#all
    path      Gateway infra/public#http > HTTPRoute parcels/track#all
    meets     no RetryPolicy
    cause     all requests of HTTPRoute parcels/track
    replay    gwpolicy request http://example.com/track --gateway infra/public
`);
  });

  it('shows both requests of a guarantee that compares requests', async () => {
    const spec = `{ other: { gateways: {} }, holds: 'other.taken && has(policies.RetryPolicy) == has(other.policies.RetryPolicy)' }`;
    const inner = routes.replace(/^---[\s\S]*$/m, '').replace('name: public', 'name: inner');
    const folder = folderWith({ ...cluster, 'cluster/inner.yaml': inner, 'g.yaml': guarantee('alike', spec) });
    const { code, stdout } = await folder.gwpolicy('verify', '-f', '@cluster', '@g.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain(`
  GET http://example.com/pay
    taken by  HTTPRoute shop/checkout#pay
    path      Gateway infra/public#http > HTTPRoute shop/checkout#pay
    meets     RetryPolicy shop/pay
    while     GET http://example.com/pay is taken by no rule at Gateway infra/inner
              gwpolicy request http://example.com/pay --gateway infra/inner
    cause     all requests of HTTPRoute shop/checkout#pay
    replay    gwpolicy request http://example.com/pay --gateway infra/public
`);
    const { stdout: json } = await folder.gwpolicy('verify', '-f', '@cluster', '@g.yaml', '-o', 'json');
    const [{ other }] = JSON.parse(json).items[0].counterexamples;
    expect(other).toEqual({
      request: { method: 'GET', url: 'http://example.com/pay', headers: {} },
      replay: 'gwpolicy request http://example.com/pay --gateway infra/inner',
      entry: expect.objectContaining({ name: 'inner' }),
      policies: {},
    });
  });

  it('prints a command that replays the request', async () => {
    const folder = folderWith({ ...cluster, 'g.yaml': retried });
    const { stdout } = await folder.gwpolicy('verify', '-f', '@cluster', '@g.yaml', '-o', 'json');
    const [{ counterexamples }] = JSON.parse(stdout).items as [{ counterexamples: { replay: string }[] }];
    for (const { replay } of counterexamples) {
      const { code, stdout: trace } = await folder.gwpolicy(...replay.split(' ').slice(1), '-f', '@cluster');
      expect([code, trace]).toEqual([0, expect.stringContaining('meets no policy')]);
    }
    expect(counterexamples).toHaveLength(2);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[], number]>([
    [
      'holds',
      {
        'g.yaml': guarantee('few', '{ holds: "!has(policies.RetryPolicy) || policies.RetryPolicy.spec.attempts < 5" }'),
      },
      [],
      0,
    ],
    ['is broken', { 'g.yaml': retried }, [], 1],
    [
      'is undecided',
      { 'cluster/routes.yaml': regex, 'g.yaml': guarantee('g', '{ holds: route.name != "cart" }') },
      [],
      4,
    ],
    [
      'is undecided, and may be',
      { 'cluster/routes.yaml': regex, 'g.yaml': guarantee('g', '{ holds: route.name != "cart" }') },
      ['--allow-undecided'],
      0,
    ],
    [
      'is about no request',
      { 'g.yaml': guarantee('g', '{ holds: "false", requests: { routes: { labels: { matchLabels: { a: b } } } } }') },
      [],
      3,
    ],
    [
      'is about no request, and may be',
      { 'g.yaml': guarantee('g', '{ holds: "false", mayBeEmpty: true, requests: { listeners: [none] } }') },
      [],
      0,
    ],
    [
      'is about a cluster of which a part cannot be read',
      { 'cluster/x.yaml': 'apiVersion: v1\nkind: {', 'g.yaml': guarantee('g', '{ holds: "true" }') },
      [],
      2,
    ],
  ])('has a separate exit code if a guarantee %s', async (_, files, args, code) => {
    expect((await verify(files, '@g.yaml', ...args)).code).toBe(code);
  });

  it.each([
    [
      'a Gateway',
      '{ gateways: { names: [pubic] } }',
      '4:56',
      'pubic is not a Gateway of the input; did you mean public?',
    ],
    [
      'a namespace',
      '{ gateways: { namespaces: [infa], names: [public] } }',
      '4:61',
      'infa is not a namespace with a Gateway of the input; did you mean infra?',
    ],
    [
      'a route',
      '{ routes: { namespaces: [shop], names: [track] } }',
      '4:74',
      'track is not a route of the input; correct it, or set mayBeEmpty: true',
    ],
    [
      'a backend',
      '{ backends: { names: [carts] } }',
      '4:56',
      'carts is not a backend of the input; did you mean cart?',
    ],
    ['a listener', '{ listeners: [htp] }', '4:48', 'htp is not a listener of the input; did you mean http?'],
  ])('refuses %s that nothing in the input has, in each selector', async (_, selector, position, message) => {
    for (const [name, spec] of [
      ['requests', `{ holds: "true", requests: ${selector} }`],
      ['except', `{ holds: "true", except: [${selector}] }`],
    ] as const) {
      const { code, stderr } = await verify({ 'g.yaml': guarantee('g', spec) }, '@g.yaml');
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      if (name === 'requests') expect(stderr).toContain(`g.yaml:${position}: error: `);
    }
  });

  it('reports an undecided guarantee, and one about nothing, as errors and as tests that fail', async () => {
    const files = {
      'cluster/routes.yaml': regex,
      'g.yaml': [
        guarantee('hidden', '{ holds: route.name != "cart" }'),
        guarantee('empty', '{ holds: "true", requests: { routes: { labels: { matchLabels: { a: b } } } } }'),
      ].join('---\n'),
    };
    const { stdout: text } = await verify(files, '@g.yaml');
    expect(text).toContain('no requests are selected; correct the selector, or set mayBeEmpty: true');
    const { stdout: junit } = await verify(files, '@g.yaml', '-o', 'junit');
    expect(junit).toContain('tests="2" failures="2"');
    const { stdout: github } = await verify(files, '@g.yaml', '-o', 'github');
    expect(github.match(/^::error .*?title=guarantee-(?:undecided|empty)/gm)).toHaveLength(2);
    const allowed = await verify(files, '@g.yaml', '-o', 'github', '--allow-undecided');
    expect(allowed.stdout).toMatch(/^::warning .*title=guarantee-undecided/m);
    expect(allowed.code).toBe(3);
  });

  it('shows a request that no match asks for, and that only some requests of the cause break the guarantee', async () => {
    const spec = `{ holds: 'request.method != "DELETE" || has(policies.RetryPolicy)' }`;
    const { code, stdout } = await verify({ 'g.yaml': guarantee('g', spec) }, '@g.yaml');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}DELETE http:\/\/example.com\/cart$/m);
    expect(stdout).toMatch(/^ +cause +some requests of /m);
  });

  it('shows the correct variable in place of one that does not exist', async () => {
    const files = { 'g.yaml': guarantee('g', '{ holds: request.pathType == "Exact" }') };
    const { code, stderr } = await verify(files, '@g.yaml');
    expect([code, stderr]).toEqual([2, expect.stringContaining('request does not have pathType; use match.pathType')]);
  });

  it.each([
    ['concerns.authentication != "uncoverd"', 'concerns.authentication is never "uncoverd"; use "covered", "weak", '],
    ['!(before.concerns.waf in ["uncoverd"])', 'before.concerns.waf is never "uncoverd"; use "covered", "weak", '],
    ['match.pathType != "Prefix"', 'match.pathType is never "Prefix"; use "Exact", "PathPrefix", '],
  ])('refuses a condition that is always true, because of a misspelled value: %s', async (holds, message) => {
    const { code, stderr } = await verify({ 'g.yaml': guarantee('g', `{ holds: '${holds}' }`) }, '@g.yaml');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('names the doubts about the answer', async () => {
    const files = { 'cluster/routes.yaml': regex, 'g.yaml': guarantee('g', '{ holds: route.name != "cart" }') };
    const { stdout } = await verify(files, '@g.yaml');
    expect(stdout).toContain(
      'HTTPRoute shop/cart /spec/rules/0/matches/0/path depends on the regular expression /cart/(?=a).+',
    );
  });

  it('reads the guarantees of the input if no file is named', async () => {
    const { code, stdout } = await verify({ 'cluster/g.yaml': retried });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^retried +broken/m)]);
    expect(await verify({})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the input does not contain guarantees'),
    });
  });

  it.each([
    [
      'a kind that does not exist',
      '{ holds: has(policies.RetryPolcy) }',
      'g.yaml:4:9: error: .*policies does not have the field RetryPolcy; use RetryPolicy,',
    ],
    [
      'a field that the definition does not have',
      '{ holds: policies.RetryPolicy.spec.attempt < 3 }',
      'spec does not have the field attempt; use attempts, perTry',
    ],
    [
      'a value of another type',
      '{ holds: policies.RetryPolicy.spec.attempts == "3" }',
      'attempts is a int, and the value a string',
    ],
    ['an unknown field', '{ holds: "true", exept: [] }', 'g.yaml:4:24: error: the field exept is unknown'],
  ])('refuses %s, with file and line', async (_, spec, message) => {
    const { code, stdout, stderr } = await verify({ 'g.yaml': guarantee('g', spec) }, '@g.yaml');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(message));
  });

  it('treats an unused known kind as one without policies for any request', async () => {
    const { code, stdout } = await verify(
      { 'g.yaml': guarantee('g', '{ holds: has(policies.AuthPolicy) }') },
      '@g.yaml',
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('no AuthPolicy')]);
  });

  it('refuses objects of other kinds in a named file, and passes over them in a folder', async () => {
    const files = {
      'g/g.yaml': guarantee('g', '{ holds: "true" }'),
      'g/other.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\n',
    };
    expect((await verify(files, '@g')).code).toBe(0);
    expect(await verify(files, '@g/other.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a Service of v1, and no guarantee'),
    });
  });

  it('reports findings where the cause is written', async () => {
    const { stdout } = await verify({ 'g.yaml': retried }, '@g.yaml', '-o', 'github');
    expect(stdout).toMatch(
      /^::error file=cluster\/routes.yaml,line=\d+,col=1,title=guarantee-broken httproute[^:]*shop\/cart::retried: GET/,
    );
    const sarif = JSON.parse((await verify({ 'g.yaml': retried }, '@g.yaml', '-o', 'sarif')).stdout);
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'guarantee-broken' }, { ruleId: 'guarantee-broken' }]);
    const { stdout: junit } = await verify({ 'g.yaml': retried }, '@g.yaml', '-o', 'junit');
    expect(junit).toContain('<testcase classname="guarantees" name="retried">\n      <failure type="guarantee-broken"');
  });

  it('quotes text of others for the shell', async () => {
    const evil = routes.replace('value: /cart }', 'value: "/a\';touch b;\'" }');
    const { stdout } = await verify({ 'cluster/routes.yaml': evil, 'g.yaml': retried }, '@g.yaml');
    expect(stdout).toContain(String.raw`request 'http://example.com/a'\'';touch b;'\''' --gateway`);
  });
});

describe('gwpolicy report', () => {
  const dataOf = (page: string): { readonly verdicts: readonly unknown[]; readonly texts: readonly string[] } =>
    JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)?.[1] ?? '');

  it('has the guarantees that are in its input, with the requests that break them', async () => {
    const folder = folderWith({ ...cluster, 'cluster/guarantees.yaml': retried });
    const { verdicts, texts } = dataOf((await folder.gwpolicy('report', '-f', '@cluster')).stdout);
    expect(verdicts).toHaveLength(1);
    expect(texts).toContain(
      'GET http://example.com/cart is taken by HTTPRoute shop/cart#show and meets no RetryPolicy',
    );
    expect(dataOf((await folderWith(cluster).gwpolicy('report', '-f', '@cluster')).stdout).verdicts).toEqual([]);
  });
});

describe('a counterexample with policies', () => {
  const security = (name: string, target: string, spec: string) => {
    const [namespace, own] = name.split('/');
    return `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: SecurityPolicy
metadata: { name: ${own}, namespace: ${namespace} }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, ${target} }], ${spec} }
`;
  };
  const files = {
    'cluster/crd.yaml': '',
    'cluster/policies.yaml': [
      security(
        'infra/public-login',
        'kind: Gateway, name: public',
        'jwt: { providers: [{ name: own, remoteJWKS: { uri: "https://login.example.com/keys" } }] }',
      ),
      security('shop/svc-01-cors', 'kind: HTTPRoute, name: cart', 'cors: { allowOrigins: ["*"] }'),
    ].join('---'),
    'g.yaml': guarantee('login', '{ holds: has(policies.SecurityPolicy.spec.jwt) }'),
  };
  const result = 'SecurityPolicy shop/svc-01-cors; infra/public-login lost to it, because mergeType is not set';

  it.each(['table', 'markdown', 'json', 'junit', 'github', 'sarif'])(
    'names the policy that decides, and the one that lost, with the reason (%s)',
    async (format) => {
      const { code, stdout } = await verify(files, '@g.yaml', '-o', format);
      expect([code, stdout]).toEqual([1, expect.stringContaining(result)]);
    },
  );

  it.each<[flags: readonly string[], code: number, output: string]>([
    [['--every', 'SecurityPolicy.jwt'], 1, 'every SecurityPolicy.jwt is broken'],
    [['--every', 'SecurityPolicy'], 0, '1 guarantee holds.'],
    [['--every', 'SecurityPolicy.gateway.envoyproxy.io'], 0, '1 guarantee holds.'],
    [['--every', 'SecurityPolicy.gateway.envoyproxy.io.cors.allowOrigins'], 1, 'is broken'],
    [['--every', 'SecurityPolicy', '--every', 'ClientTrafficPolicy'], 1, '1 guarantee holds, 1 is broken.'],
    [['--every', 'SecurityPolicy.jwt', '--gateway', 'infra/public'], 1, 'is broken'],
    [['--every', 'SecurityPolicy.jwt', '@g.yaml'], 1, '0 guarantees hold, 2 are broken.'],
    [['--every', 'SecurityPolicy', '--gateway', 'infra/pubic'], 2, 'pubic'],
    [['--every', 'SecurtyPolicy'], 2, 'policies does not have the field SecurtyPolicy; use SecurityPolicy'],
    [['--every', 'SecurityPolicy.jtw'], 2, 'policies.SecurityPolicy.spec does not have the field jtw; use jwt,'],
    [['--every', 'authentication'], 1, 'authentication uncovered (lost: SecurityPolicy'],
    [['--every', 'a || true'], 2, '--every takes a kind and a field, such as SecurityPolicy.jwt'],
    [['--every', 'authentification'], 2, 'or one of authentication, authorization'],
    [['--gateway', 'infra/public', '@g.yaml'], 2, '--gateway is about --every'],
  ])('is verified for every request by %j', async (flags, code, output) => {
    const { code: exitCode, stdout, stderr } = await verify(files, ...flags);
    expect([exitCode, stdout + stderr]).toEqual([code, expect.stringContaining(output)]);
  });

  it('is at the line of the policy that decides', async () => {
    const { stdout } = await verify(files, '@g.yaml', '-o', 'github');
    expect(stdout).toMatch(/^::error file=cluster\/policies\.yaml,line=7,/);
  });
});
