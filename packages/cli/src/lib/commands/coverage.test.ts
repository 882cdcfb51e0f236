import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';
import { bad, cors, edge, good, policy, route } from '../covering/shop.fixture.ts';

const gwpolicy = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  folderWith(files).gwpolicy('coverage', ...args);

describe('gwpolicy coverage', () => {
  it('answers in one sentence, with the cause and the remedy', async () => {
    const { stdout, code } = await gwpolicy({ 'a.yaml': bad }, '@');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 route of 2 takes requests without authentication\.\n/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '✕ 1 Other policies replace the authentication of Gateway infra/public; set mergeType in shop/cors',
    );
    expect(stdout).toMatch(/\nshop +2 +✕ 1 +○ +✓ +○/);
  });

  it('names few causes one by one, and sums up many of one sort', async () => {
    const routes = ['a', 'b', 'c', 'd', 'e'];
    const closed = (name: string) => edge().replaceAll('public', name) + route(`r-${name}`).replaceAll('public', name);
    const causes = async (some: readonly string[]) => {
      const { stdout } = await gwpolicy({ 'a.yaml': some.map(closed).join('') }, '@');
      return stdout.replaceAll(/\s+/g, ' ').match(/✕ \d+ Neither .*? nor/g);
    };
    expect(await causes(routes.slice(0, 2))).toEqual(['a', 'b'].map((name) => `✕ 1 Neither Gateway infra/${name} nor`));
    expect(await causes(routes)).toEqual(['✕ 5 Neither Gateway infra/a +4 more nor']);
  });

  it('does not report a concern as missing while input that may set it is not rendered', async () => {
    const chart = {
      'chart/Chart.yaml': 'name: login',
      'chart/templates/login.yaml': '{{ include "login" . }}',
    };
    const files = { 'a.yaml': `${edge()}${route('cart')}` };
    const stateOf = async (more: Readonly<Record<string, string>>) => {
      const { stdout } = await gwpolicy({ ...files, ...more }, '@', '--concern', 'authentication', '-o', 'json');
      return /"state": "(\w+)"/.exec(stdout)?.[1];
    };
    expect([await stateOf({}), await stateOf(chart)]).toEqual(['none', 'unknown']);
  });

  const unread = {
    'a template': { 'chart/Chart.yaml': 'name: login', 'chart/templates/login.yaml': '{{ include "login" . }}' },
    'a HelmRelease': {
      'b.yaml': 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: a, namespace: shop }',
    },
    'a class of one of two systems': {
      'b.yaml': policy('infra/k', 'Gateway public', 'cors: {}')
        .replace('gateway.envoyproxy.io/v1alpha1', 'gateway.kgateway.dev/v1alpha1')
        .replace('kind: SecurityPolicy', 'kind: TrafficPolicy'),
    },
  };
  it.each(Object.entries(unread))('agrees with verify, and keeps a certain loss, beside %s', async (_, more) => {
    const statuses = async (manifests: string) => {
      const folder = folderWith({ 'a.yaml': manifests, ...more });
      const asked = ['--concern', 'authentication', '--fail-on', 'uncovered:authentication'];
      const { code } = await folder.gwpolicy('coverage', '@', ...asked);
      const verified = await folder.gwpolicy('verify', '-R', '-f', '@', '--every', 'authentication');
      return [code, verified.code];
    };
    expect([await statuses(good), await statuses(bad)]).toEqual([
      [4, 4],
      [1, 1],
    ]);
  });

  it('keeps weak protection beside unread input, as verify does', async () => {
    const weak = good.replace('providers:', 'optional: true, providers:');
    const folder = folderWith({ 'a.yaml': weak, ...unread['a HelmRelease'] });
    const { stdout } = await folder.gwpolicy('coverage', '@', '--concern', 'authentication');
    const { code } = await folder.gwpolicy('verify', '-R', '-f', '@', '--every', 'authentication');
    expect([stdout, code]).toEqual([expect.stringMatching(/◐ +2/), 1]);
  });

  it('lists the routes that lack a concern, with the policy that takes it from them', async () => {
    const { stdout } = await gwpolicy({ 'a.yaml': bad }, '@', '--concern', 'authentication', '--uncovered');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('✕ HTTPRoute shop/cart');
    expect(text).toContain(
      'lost: SecurityPolicy shop/cors replaces SecurityPolicy infra/login jwt of Gateway infra/public',
    );
    expect(text).not.toContain('shop/search');
  });

  it.each([
    [bad, 'uncovered:authentication', 1],
    [good, 'uncovered:authentication', 0],
    [bad, 'none', 0],
    [good, 'uncovered:rate-limit', 1],
    [bad.replace('jwt: {', 'jwt: { optional: true,').replace(cors, ''), 'uncovered:authentication', 1],
    [
      `${edge()}${route('cart').replace('backendRefs', 'filters: [{ type: ExtensionRef, extensionRef: { group: traefik.io, kind: Middleware, name: m } }], backendRefs')}`,
      'uncovered:authentication',
      4,
    ],
  ])('has an exit code for --fail-on, %#', async (manifests, failOn, code) => {
    expect((await gwpolicy({ 'a.yaml': manifests }, '@', '--fail-on', failOn)).code).toBe(code);
  });

  it('accepts a hole with a reason, by annotation or in a file, and reports an entry that is not needed', async () => {
    const noted = bad.replace(
      'name: cart, namespace: shop }',
      'name: cart, namespace: shop, annotations: { coverage.policy-machinery/accept: "authentication: open on purpose" } }',
    );
    const fail = ['--fail-on', 'uncovered:authentication'];
    const accepted = await gwpolicy({ 'a.yaml': noted }, '@', ...fail);
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^No other route of 2 takes requests without authentication; 1 is accepted\.\n.* {3}∙ missing, and accepted {3}/s,
      ),
    ]);
    const entry = (name: string) =>
      `apiVersion: policy-machinery/v1alpha1\nkind: CoverageAcceptance\naccepted: [{ concern: authentication, route: shop/${name}, reason: open }]\n`;
    const files = { 'm/a.yaml': bad, 'ok.yaml': entry('cart'), 'old.yaml': entry('search') };
    expect(await gwpolicy(files, '@m', ...fail, '--accept', '@ok.yaml')).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('Nothing lacks'),
    });
    const { code, stderr } = await gwpolicy(files, '@m', ...fail, '--accept', '@old.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing lacks authentication at shop/search; remove the entry of --accept.\n');
  });

  it.each([
    ['--accept', '@bad.yaml', /--accept bad.yaml cannot be read: .*reason/s],
    ['--concern', 'authn', /authn is not a concern; did you mean authentication\?/],
    ['--concern', 'authentification', /authentification is not a concern; did you mean authentication\?/],
    ['--fail-on', 'holes', /--fail-on holes is not known; write uncovered/],
  ])('reports the fault of %s %s', async (flag, value, message) => {
    const entry =
      'apiVersion: policy-machinery/v1alpha1\nkind: CoverageAcceptance\naccepted: [{ concern: waf, route: a/b }]\n';
    const { code, stderr } = await gwpolicy({ 'm/a.yaml': good, 'bad.yaml': entry }, '@m', flag, value);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('requires the concerns in the annotation of a Gateway', async () => {
    const asking = good.replace('annotations: {}', 'annotations: { coverage.policy-machinery/require: rate-limit }');
    const { stdout } = await gwpolicy({ 'a.yaml': asking }, '@', '-o', 'json');
    expect(JSON.parse(stdout).rows[0].uncovered).toEqual(['rate-limit']);
  });

  it('reports a name that is not a concern in an annotation', async () => {
    const asking = good.replace('annotations: {}', 'annotations: { coverage.policy-machinery/require: rate-limt }');
    const { stderr } = await gwpolicy({ 'a.yaml': asking }, '@');
    expect(stderr).toContain(
      'Gateway infra/public: the annotation coverage.policy-machinery/require is wrong: rate-limt is not a concern; did you mean rate-limit?\n',
    );
  });

  it.each([
    ['wide', /HTTPRoute shop\/cart +1 +✕ lost to own policy +○ +✓ infra\/public +○ +✓ own\n/],
    ['wide', /HTTPRoute shop\/search +1 +✓ infra\/public +○ +✓ infra\/public +○ +○\n/],
    ['markdown', '| HTTPRoute shop/cart | 1 | ✕ lost to own policy | ○ | ✓ infra/public | ○ | ✓ own |'],
    ['markdown', '| Route | Routes | Authentication* | Authorization | TLS to clients* | Rate limit | CORS |'],
    ['html', '<td class="uncovered">✕ lost to own policy</td>'],
  ])('names who decides about each cell, in the format %s', async (format, expected) => {
    const { stdout } = await gwpolicy({ 'a.yaml': bad }, '@', '--by', 'route', '-o', format);
    expect(stdout).toMatch(expected);
  });

  it('says which requests a change covers and uncovers', async () => {
    const files = { 'a/a.yaml': good, 'b/a.yaml': bad };
    const lost = await gwpolicy(files, '@a', '@b', '--fail-on', 'uncovered');
    expect(lost.code).toBe(1);
    expect(lost.stdout).toMatch(/^The change uncovers requests of 1 route and covers requests of 0 routes\.\n\n✓ → ✕/);
    const won = await gwpolicy(files, '@b', '@a', '--fail-on', 'uncovered');
    expect([won.code, won.stdout]).toEqual([0, expect.stringContaining('✕ → ✓')]);
  });

  it('folds rows that are alike', async () => {
    const { stdout } = await gwpolicy({ 'a.yaml': `${good}${route('pay')}` }, '@', '--by', 'route');
    expect(stdout).toContain('HTTPRoute shop/cart and 2 alike');
  });

  it('is written for programs, spreadsheets and readers, and text of objects is text there', async () => {
    const hostile = bad.replaceAll('cors, namespace', '"=cors", namespace').replace('shop/cors', 'shop/cors');
    const files = { 'a.yaml': hostile };
    const json = JSON.parse((await gwpolicy(files, '@', '-o', 'json')).stdout);
    expect(json.rows).toHaveLength(2);
    expect(json.answers).toHaveLength(2);
    const csv = (await gwpolicy(files, '@', '-o', 'csv')).stdout;
    expect(csv.split('\r\n')[0]).toMatch(
      /^gateway,listener,kind,route,rule,hostnames,authentication,authentication reason,/,
    );
    const html = (await gwpolicy(files, '@', '-o', 'html')).stdout;
    expect(html).toContain("default-src 'none'");
    expect(html).not.toContain('<script');
    expect((await gwpolicy(files, '@', '-o', 'markdown')).stdout).toContain('| Namespace | Routes |');
  });

  it('fits a terminal of 80 columns', async () => {
    const { stdout } = await gwpolicy({ 'a.yaml': bad }, '@');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('is in the README as printed', async () => {
    const { stdout } = await gwpolicy({ 'a.yaml': `${bad}${route('pay')}` }, '@');
    await expect(stdout).toMatchFileSnapshot('../../../golden/output/coverage.golden.txt');
  });
});
