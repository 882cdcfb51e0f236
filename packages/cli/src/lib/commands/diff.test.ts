import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { retryPolicyDefinition as definition, folderWith, retries, routes } from '../changes/cli.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'defaults: { strategy: patch, attempts: 3, perTry: 2s }');
const once = retries('infra/house', 'Gateway public', 'overrides: { strategy: atomic, attempts: 1 }');
const steady = retries('parcels/steady', 'HTTPRoute track', 'attempts: 5');

describe('gwpolicy diff', () => {
  it('lists the changes of each target, with the policy that sets the value now, and its place', async () => {
    const folder = folderWith({
      'before/routes.yaml': routes,
      'before/crd.yaml': definition,
      'before/infra.yaml': house,
      'before/parcels.yaml': steady,
      'after/routes.yaml': routes,
      'after/crd.yaml': definition,
      'after/infra.yaml': once,
      'after/parcels.yaml': steady,
    });
    const { code, stdout, stderr } = await folder.gwpolicy('diff', '@before', '@after');
    expect(stdout).toMatchInlineSnapshot(`
      "4 effective policies change, 1 policy loses all effect, 1 other outcome changes.

      Gateway infra/public
        RetryPolicy
          ~  attempts  3 → 1  set by infra/house             after/infra.yaml:7
          -  perTry    2s     infra/house no longer sets it  before/infra.yaml:7

      HTTPRoute parcels/track
        RetryPolicy through Gateway infra/public#http
          ~  attempts  5 → 1  set by infra/house (was parcels/steady)  after/infra.yaml:7
          -  perTry    2s     infra/house no longer sets it            before/infra.yaml:7

      HTTPRoute shop/cart, HTTPRoute shop/checkout
        RetryPolicy through Gateway infra/public#http
          ~  attempts  3 → 1  set by infra/house             after/infra.yaml:7
          -  perTry    2s     infra/house no longer sets it  before/infra.yaml:7

      Policies
        RetryPolicy infra/house     partly-enforced  →  enforced    In force in all scopes.
        RetryPolicy parcels/steady  enforced         →  overridden  Overridden in all scopes. infra/house replaces it (Atomic overrides).
      "
    `);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('compares revisions of git without a checkout', async () => {
    const folder = folderWith({
      'deploy/routes.yaml': routes,
      'deploy/crd.yaml': definition,
      'deploy/infra.yaml': house,
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        stdio: 'pipe',
      });
    git('init', '--initial-branch=main');
    git('add', '.');
    git('commit', '--message=before');
    folder.write({ 'deploy/infra.yaml': '', 'deploy/parcels/steady.yaml': steady });
    git('add', '.');
    git('commit', '--message=after');
    folder.write({ 'deploy/parcels/steady.yaml': steady.replace('5', '6') });
    const { stdout } = await folder.gwpolicy('diff', '--git', 'main~1..main', '@deploy');
    expect(stdout).toMatchInlineSnapshot(`
      "4 effective policies change, 2 other outcomes change.

      Gateway infra/public
        RetryPolicy, no longer applies
          -  attempts  3   infra/house is gone  deploy/infra.yaml:7
          -  perTry    2s  infra/house is gone  deploy/infra.yaml:7

      HTTPRoute parcels/track
        RetryPolicy through Gateway infra/public#http
          ~  attempts  3 → 5  set by parcels/steady (was infra/house, which is gone)  deploy/parcels/steady.yaml:7
          -  perTry    2s     infra/house is gone                                     deploy/infra.yaml:7

      HTTPRoute shop/cart, HTTPRoute shop/checkout
        RetryPolicy through Gateway infra/public#http, no longer applies
          -  attempts  3   infra/house is gone  deploy/infra.yaml:7
          -  perTry    2s  infra/house is gone  deploy/infra.yaml:7

      Policies
        RetryPolicy infra/house     enforced  →  gone
        RetryPolicy parcels/steady  new       →  enforced  In force in all scopes.
      "
    `);
    expect((await folder.gwpolicy('diff', '--git', 'main', '@deploy')).stdout).toMatchInlineSnapshot(`
      "1 effective policy changes.

      HTTPRoute parcels/track
        RetryPolicy through Gateway infra/public#http
          ~  attempts  5 → 6  set by parcels/steady  deploy/parcels/steady.yaml:7
      "
    `);
    expect((await folder.gwpolicy('diff', '--git', 'main..HEAD', '@deploy')).stdout).toBe(
      'Nothing changes for any policy.\n',
    );
    git('checkout', '--quiet', '--force', '-b', 'branch', 'main~1');
    folder.write({ 'deploy/more.yaml': retries('shop/more', 'HTTPRoute cart', 'attempts: 9') });
    git('add', 'deploy/more.yaml');
    git('commit', '--message=branch');
    const summaryOf = async (revisions: string) =>
      (await folder.gwpolicy('diff', '--git', revisions, '@deploy')).stdout.split('\n')[0];
    expect(await summaryOf('main...branch')).toBe('1 effective policy changes, 2 other outcomes change.');
    expect(await summaryOf('main..branch')).toBe('4 effective policies change, 3 other outcomes change.');
    expect(await folder.gwpolicy('diff', '--git', 'main..nowhere', '@deploy')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('git cannot read nowhere'),
    });
  });

  it('names the new policy that takes a field, with its file, and not the old one, which has not changed', async () => {
    const patient = retries('parcels/steady', 'HTTPRoute track', 'attempts: 5\nperTry: 2s');
    const before = { 'before/a.yaml': [routes, definition, patient].join('---') };
    const strict = retries('infra/strict', 'Gateway public', 'overrides: { strategy: atomic, attempts: 1 }');
    const after = { 'after/a.yaml': [routes, definition, patient].join('---'), 'after/strict.yaml': strict };
    const { stdout } = await folderWith({ ...before, ...after }).gwpolicy('diff', '@before', '@after');
    expect(stdout).toMatch(/perTry +2s +infra\/strict replaces parcels\/steady +after\/strict.yaml:\d+\n/);
  });

  describe('of a policy that reaches a target no more', () => {
    const ofGateway = retries('infra/house', 'Gateway public', 'attempts: 5');
    const whatEnds = async (edited: readonly string[], policy = ofGateway) => {
      const folder = folderWith({
        'before/a.yaml': [routes, definition].join('---'),
        'before/house.yaml': policy,
        'after/a.yaml': [edited[0], definition].join('---'),
        'after/house.yaml': edited[1] ?? policy,
      });
      const { stdout } = await folder.gwpolicy('diff', '@before', '@after', '--only', 'namespace=shop');
      return stdout.split('\n').find((line) => line.includes(' attempts ')) ?? '';
    };

    it('names the Gateway that is gone, at its line', async () => {
      const gone = routes.slice(routes.indexOf('---') + 3);
      const ofRoute = retries('shop/own', 'HTTPRoute cart', 'attempts: 5');
      for (const policy of [ofGateway, ofRoute]) {
        expect(await whatEnds([gone], policy)).toMatch(/ 5 +Gateway infra\/public is gone +before\/a.yaml:2$/);
      }
    });

    it('names the listener that is gone', async () => {
      const section = ofGateway.replace('name: public', 'name: public, sectionName: http');
      const ofSections = definition.replace(
        'name: { type: string } }',
        'name: { type: string }, sectionName: { type: string } }',
      );
      const folder = folderWith({ 'before/a.yaml': [routes, ofSections, section].join('---') });
      folder.write({ 'after/a.yaml': [routes.replace('name: http,', 'name: web,'), ofSections, section].join('---') });
      const { stdout } = await folder.gwpolicy('diff', '@before', '@after');
      expect(stdout).toContain('Gateway infra/public#http is gone');
    });

    it('names the route that its Gateway takes no more', async () => {
      const refused = routes.replace('from: All', 'from: Same');
      expect(await whatEnds([refused])).toContain(' is no longer below Gateway infra/public#http  after/a.yaml:');
    });

    it('names the target that the policy has left', async () => {
      const elsewhere = ofGateway.replace('name: public', 'name: private');
      expect(await whatEnds([routes, elsewhere])).toContain('infra/house no longer targets Gateway infra/public');
    });
  });

  it('sums up the targets of one change by kind and namespace', async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      routes
        .replaceAll('{ name: cart,', `{ name: cart-${index},`)
        .split('---')
        .find((it) => it.includes(`cart-${index}`)),
    );
    const world = (policy: string) => [routes, definition, policy, ...many].join('---');
    const folder = folderWith({ 'before/a.yaml': world(house), 'after/a.yaml': world(once) });
    const { stdout } = await folder.gwpolicy('diff', '@before', '@after');
    expect(stdout).toMatch(/\nHTTPRoute parcels\/track, [^\n]* and 58 more HTTPRoute in shop\n/);
    expect(
      JSON.parse((await folder.gwpolicy('diff', '@before', '@after', '-o', 'json')).stdout).effective.length,
    ).toBeGreaterThan(60);
  });

  it('answers in one screen where 60 policies change, each with its own target, and has all as JSON', async () => {
    const each = (text: (index: number) => string) => Array.from({ length: 60 }, (_, index) => text(index)).join('---');
    const cart = routes.split('---').find((route) => route.includes('{ name: cart,')) ?? '';
    const many = each((index) => cart.replace('{ name: cart,', `{ name: cart-${index},`).replace('/cart', `/${index}`));
    const world = (target: (index: number) => string, attempts: number) => {
      const policies = each((index) => retries(`shop/own-${index}`, target(index), `attempts: ${index + attempts}`));
      return [routes, definition, many, policies].join('---');
    };
    const folder = folderWith({
      'before/a.yaml': world((index) => `HTTPRoute cart-${index}`, 0),
      'after/a.yaml': world((index) => (index % 2 === 0 ? `HTTPRoute cart-${index}` : 'HTTPRoute nowhere'), 100),
    });
    const { stdout } = await folder.gwpolicy('diff', '@before', '@after');
    expect(stdout.split('\n').length).toBeLessThan(50);
    expect(stdout).toMatch(/^60 effective policies change, /);
    expect(stdout).toMatch(
      /\n\d+ more effective policies, which -o json has\n {2}RetryPolicy of \d+ HTTPRoute in shop\n/,
    );
    expect(stdout).toMatch(/\n {2}and 24 more: 24 RetryPolicy in shop; -o json has all\n/);
    const { effective, policies, findings } = JSON.parse(
      (await folder.gwpolicy('diff', '@before', '@after', '-o', 'json')).stdout,
    );
    expect([effective.length, policies.length, findings.added.length]).toEqual([60, 30, 30]);
  });

  it('cuts the changes of one target, if these alone are more than a screen', async () => {
    const wide = (value: number) =>
      retries(
        'shop/own',
        'HTTPRoute cart',
        Array.from({ length: 90 }, (_, index) => `field${index}: ${value}`).join('\n'),
      ).replace('policies.example.com', 'other.example.com');
    const folder = folderWith({
      'before/a.yaml': [routes, wide(1)].join('---'),
      'after/a.yaml': [routes, wide(2)].join('---'),
    });
    const { stdout } = await folder.gwpolicy('diff', '@before', '@after');
    expect(stdout.split('\n').length).toBeLessThan(30);
    expect(stdout).toMatch(/field0 .*\n(?:.*\n)* {4}and \d+ more lines; -o json has all\n/);
  });

  describe('with flags', () => {
    const unmerged = (attempts: number) =>
      retries('parcels/steady', 'HTTPRoute track', `attempts: ${attempts}`).replace(
        'policies.example.com',
        'other.example.com',
      );
    const folder = folderWith({
      'before/a.yaml': [routes, definition, house, steady, unmerged(1)].join('---'),
      'after/a.yaml': [routes, definition, once, steady, unmerged(2)].join('---'),
    });
    const diff = (...args: string[]) => folder.gwpolicy('diff', '@before', '@after', ...args);

    it('shows policies side by side if the merging of their kind is not known', async () => {
      expect(
        (await diff('--only', 'kind=RetryPolicy', '--only', 'target=HTTPRoute', '--only', 'namespace=parcels')).stdout,
      ).toMatchInlineSnapshot(`
        "2 effective policies change.

        HTTPRoute parcels/track
          RetryPolicy through Gateway infra/public#http, not merged
            ~  attempts  1 → 2  set by parcels/steady  after/a.yaml:79
          RetryPolicy through Gateway infra/public#http
            ~  attempts  5 → 1  set by infra/house (was parcels/steady)  after/a.yaml:67
            -  perTry    2s     infra/house no longer sets it            before/a.yaml:67
        "
      `);
    });

    it('shows and counts only the selection of --only', async () => {
      const { code, stdout } = await diff('--only', 'namespace=shop');
      expect(stdout).toMatch(/^2 effective policies change\.\n\nHTTPRoute shop\/cart, HTTPRoute shop\/checkout\n/);
      expect(code).toBe(1);
      expect((await diff('--only', 'namespace=nowhere')).code).toBe(0);
    });

    it.each([
      [['--fail-on', 'lost'], 1],
      [['--fail-on', 'lost', '--only', 'namespace=shop'], 0],
      [['--fail-on', 'none'], 0],
      [['--fail-on', 'all'], 2],
      [['--only', 'team=shop'], 2],
    ])('ends with the exit code: %j %i', async (args, code) => {
      expect((await diff(...args)).code).toBe(code);
    });

    it('has all of that as JSON', async () => {
      const { effective, policies } = JSON.parse((await diff('-o', 'json')).stdout);
      const track = effective.filter((it: { target: { name: string } }) => it.target.name === 'track');
      expect(track[1]).toEqual({
        target: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'parcels', name: 'track' },
        kind: { group: 'policies.example.com', kind: 'RetryPolicy' },
        merging: 'known',
        through: ['Gateway infra/public#http'],
        change: 'changed',
        fields: [
          {
            pointer: '/attempts',
            before: 5,
            after: 1,
            wasSetBy: ['parcels/steady'],
            setBy: ['infra/house'],
            takenBy: [],
            isPolicyGone: false,
            position: {
              source: expect.stringContaining('after/a.yaml'),
              line: expect.any(Number),
              column: expect.any(Number),
            },
          },
          expect.objectContaining({ pointer: '/perTry', before: '2s', setBy: [] }),
        ],
      });
      expect(policies).toContainEqual(
        expect.objectContaining({ before: 'enforced', after: 'overridden', isLost: true }),
      );
    });

    it('writes Markdown for a comment on a pull request', async () => {
      expect((await diff('-o', 'markdown', '--only', 'namespace=shop')).stdout).toMatchInlineSnapshot(`
        "2 effective policies change.

        ### HTTPRoute shop/cart, HTTPRoute shop/checkout

        RetryPolicy through Gateway infra/public\\#http

        |  | Field | Value | Policy | Where |
        | --- | --- | --- | --- | --- |
        | \\~ | attempts | 3 → 1 | set by infra/house | after/a.yaml:67 |
        | - | perTry | 2s | infra/house no longer sets it | before/a.yaml:67 |
        "
      `);
    });
  });

  it('lists new and resolved findings', async () => {
    const lost = retries('shop/lost', 'HTTPRoute checkuot', 'attempts: 5');
    const folder = folderWith({
      'before/a.yaml': [routes, definition, lost].join('---'),
      'after/a.yaml': [routes, definition, lost.replace('checkuot', 'checkout').replace('5', 'many')].join('---'),
    });
    expect((await folder.gwpolicy('diff', '@before', '@after')).stdout).toMatchInlineSnapshot(`
      "1 other outcome changes, 1 new finding, 1 resolved finding.

      Policies
        RetryPolicy shop/lost  undecided  →  invalid  /spec/attempts: must be integer, not string.

      Newly wrong
        after/a.yaml:67  error  must be integer, not string

      No longer wrong
        before/a.yaml:66  warning  targets HTTPRoute shop/checkuot, which is not in this input; add it, or correct the reference
      "
    `);
  });

  it('reports no change if only the formatting of a file differs', async () => {
    const folder = folderWith({
      'before/a.yaml': [routes, house].join('---'),
      'after/b.yaml': [house, routes].join('---'),
    });
    expect(await folder.gwpolicy('diff', '@before', '@after')).toMatchObject({
      code: 0,
      stdout: 'Nothing changes for any policy.\n',
    });
  });

  it.each([
    [[], 'name two files or folders'],
    [['@before'], 'name two files or folders'],
    [['@before', '@after'], 'before'],
    [['--git', '..', '@'], '--git .. does not name revisions'],
    [['--git', '-x..main', '@'], '-x is not a revision'],
    [['--git', 'main', '@'], 'git cannot read main'],
  ])('reports the fault of its arguments: %j', async (args, message) => {
    const { code, stdout, stderr } = await folderWith({}).gwpolicy('diff', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
