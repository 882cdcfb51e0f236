import { dialects } from '@policy-machinery/known-kinds';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/commands.ts';
import { cluster, runWith } from './run.fixture.ts';

const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const escaped = (text: string) => text.replaceAll(/[^\w\s]/g, '\\$&');

describe('gwpolicy', () => {
  it.each([[[]], [['--help']], [['help']]])('lists all commands with %j', async (args) => {
    const { stdout, exitCode } = await runWith(args);
    expect(exitCode).toBe(0);
    const words = stdout.replaceAll(/\s+/g, ' ');
    for (const { name, summary } of commands) expect(words).toMatch(new RegExp(` ${name} .*${escaped(summary)}`));
  });

  it('has the name of the kubectl plugin in its help, if kubectl calls it', async () => {
    const { stdout } = await runWith(['explain', '--help'], { programName: 'kubectl gwpolicy' });
    expect(stdout).toMatch(/^Usage: kubectl gwpolicy explain /);
    expect(stdout).toContain('  kubectl gwpolicy explain httproute/checkout\n');
  });

  it.each(commands.map(({ name }) => name))('has help for %s', async (name) => {
    const { stdout, exitCode } = await runWith([name, '--help']);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(`^Usage: gwpolicy ${name}\\b`)]);
  });
});

describe('flags before the command', () => {
  it.each([
    [
      ['-n', 'shop', 'get', 'httproutes', '-f', cluster],
      ['-n', 'shop'],
    ],
    [
      ['--namespace=shop', 'get', '-f', cluster, 'httproutes'],
      ['-n', 'shop'],
    ],
    [
      ['--filename', cluster, '-A', 'get', 'httproutes', '-o', 'json'],
      ['-A', '-o', 'json'],
    ],
  ])('count as flags of the command: %j', async (args, flags) => {
    expect(await runWith(args)).toEqual(await runWith(['get', 'httproutes', '-f', cluster, ...flags]));
  });

  it('do not stand for a command', async () => {
    const { stderr, exitCode } = await runWith(['-n', 'get']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("unknown option '-n'")]);
  });
});

describe('the help of kinds', () => {
  it('names all profiles that --dialect can choose', async () => {
    const { stdout } = await runWith(['kinds', '--help']);
    const [, profiles = ''] = stdout.split('Profiles for --dialect:\n');
    const names = (profiles.split('\n\n')[0] ?? '')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ')[0]);
    expect(names).toEqual(dialects.map(({ name }) => name));
  });
});

describe('the exit code', () => {
  it.each([
    ['an answer', ['get', '-f', cluster], 0],
    ['no answer', ['explain', 'httproute/search', '-f', cluster], 0],
    ['findings', ['lint', '-f', cluster], 1],
    ['findings that do not matter', ['lint', '-f', cluster, '--fail-on', 'none'], 0],
    ['warnings, where only errors matter', ['lint', '-f', cluster, '--fail-on', 'error'], 0],
    ['a request that nothing takes', ['request', 'https://shop.example.com/', '-f', cluster], 1],
    ['no such command', ['explian'], 2],
    ['no such flag', ['get', '--colour'], 2],
    ['no such format', ['get', '-o', 'csv', '-f', cluster], 2],
    ['no such file', ['get', '-f', `${cluster}/nothing.yaml`], 2],
    ['no such kind', ['get', 'routes', '-f', cluster], 2],
    ['no such object', ['explain', 'httproute/card', '-f', cluster], 2],
    ['no such object to list', ['get', 'httproute/card', '-f', cluster], 2],
    ['no such policy to list', ['get', 'policies', 'card', '-f', cluster], 2],
    ['no such section', ['explain', 'httproute/cart#pay', '-f', cluster], 2],
    ['no cluster', ['get'], 2],
    ['an argument too many', ['lint', 'deploy', '-f', cluster], 2],
  ])('for %s: gwpolicy %j exits with %d', async (_what, args, exitCode) => {
    const ran = await runWith(args);
    expect(ran.exitCode).toBe(exitCode);
    if (exitCode === 2) expect([ran.stdout, ran.stderr]).toEqual(['', expect.stringMatching(/\S/)]);
  });
});

describe('a message', () => {
  it.each([
    ['names the formats', ['get', '-o', 'csv'], 'Formats are table, wide, json, yaml, name, markdown.'],
    [
      'asks for one kind with a name',
      ['get', 'httproutes,gateways/public', '-f', cluster],
      'gwpolicy: name one kind with public, or the kinds httproutes,gateways without a name',
    ],
    ['begins with the name of the program', ['explain'], "gwpolicy: missing required argument 'target'\nRun"],
    ['suggests a command', ['explian'], 'Did you mean explain?'],
    [
      'names kinds',
      ['get', 'routes', '-f', cluster],
      'unknown kind routes; kinds are AuthPolicy, BackendTrafficPolicy, ',
    ],
    ['suggests kinds', ['get', 'gatway', '-f', cluster], 'unknown kind gatway; did you mean Gateway?'],
    ['knows kinds without objects', ['get', 'wafpolicies', '-f', cluster], 'no WAFPolicy is in the input'],
    ['says which path is not there', ['get', '-f', 'nowhere'], 'gwpolicy: nowhere does not exist\n'],
    ['says that also with -R', ['get', '-R', '-f', 'nowhere'], 'gwpolicy: nowhere does not exist\n'],
    [
      'names sections as their kind does',
      ['explain', 'httproute/checkout#pya', '-f', cluster],
      'HTTPRoute shop/checkout does not have the rule pya, but pay, status',
    ],
    ['says which command is for targets', ['reach', 'gateway/public', '-f', cluster], '"explain gateway/public" shows'],
    [
      'says how to write a pointer',
      ['explain', 'httproute/cart', 'limits', '-f', cluster],
      '"limits" is not a JSON Pointer; write /request',
    ],
    [
      'says what a flag is for',
      ['get', '--context', 'staging', '-f', cluster],
      '--context needs a cluster; add --live',
    ],
    ['says what to do without a cluster', ['get'], 'install kubectl, or name files with -f'],
    ['says how to write a dialect', ['get', '-f', cluster, '--dialect', 'CachePolicy'], 'write group/Kind=profile'],
  ])('%s', async (_what, args, message) => {
    expect((await runWith(args)).stderr).toContain(message);
  });

  it.each([
    ['nothing', 'HTTPRoute nothing', 'there is HTTPRoute shop/cart, HTTPRoute shop/checkout, HTTPRoute shop/search'],
    ['checkou', 'HTTPRoute checkou', 'did you mean HTTPRoute shop/checkout?'],
    ['infra/cart', 'HTTPRoute infra/cart', 'did you mean HTTPRoute shop/cart?'],
  ])('suggests corrections of %s', async (name, written, hint) => {
    for (const command of ['explain', 'get', 'tree']) {
      const { stderr } = await runWith([command, `httproute/${name}`, '-f', cluster]);
      expect(stderr).toBe(`gwpolicy: ${written} is not in this input; ${hint}\n`);
    }
  });

  it('asks for the namespace where several objects have a name', async () => {
    const twins = ['shop', 'cafe'].map(
      (namespace) => `{ apiVersion: v1, kind: Service, metadata: { name: cart, namespace: ${namespace} } }`,
    );
    const { stderr } = await runWith(['explain', 'svc/cart', '-f', '-'], { stdin: twins.join('\n---\n') });
    expect(stderr).toContain('there are several: Service cafe/cart, Service shop/cart; name the namespace');
  });

  it('cannot be forged by names', async () => {
    const { stderr } = await runWith(['explain', 'httproute/x\u001b[2J', '-f', cluster]);
    expect(stderr).toContain('x\\u001b[2J');
  });
});

describe('colours', () => {
  const get = ['get', '-f', cluster];
  it.each([
    ['on a terminal', get, { isTTY: true }, true],
    ['not on a pipe', get, {}, false],
    ['not with NO_COLOR', get, { isTTY: true, env: { NO_COLOR: '1' } }, false],
    ['with --color always, whatever else', [...get, '--color', 'always'], { env: { NO_COLOR: '1' } }, true],
    ['not with --color never', [...get, '--color', 'never'], { isTTY: true }, false],
    ['never in JSON', [...get, '-o', 'json', '--color', 'always'], { isTTY: true }, false],
  ])('are there %s', async (_when, args, environment, expected) => {
    expect((await runWith(args, environment)).stdout.match(escapes) !== null).toBe(expected);
  });

  it('change nothing but colours', async () => {
    const explain = ['explain', 'HTTPRoute', 'shop/cart', '-f', cluster];
    const [plain, coloured] = [await runWith(explain), await runWith(explain, { isTTY: true })];
    expect(coloured.stdout.replaceAll(escapes, '')).toBe(plain.stdout);
  });
});

describe('tables', () => {
  it('are without header with --no-headers', async () => {
    const [withHeaders, without] = [
      await runWith(['get', '-f', cluster]),
      await runWith(['get', '-f', cluster, '--no-headers']),
    ];
    expect(without.stdout.split('\n')).toHaveLength(withHeaders.stdout.split('\n').length - 1);
    expect(without.stdout).not.toContain('OUTCOME');
  });

  it('have a column for namespaces only if there are several', async () => {
    expect((await runWith(['get', '-f', cluster])).stdout).toMatch(/^NAMESPACE/);
    expect((await runWith(['get', '-f', cluster, '-n', 'shop'])).stdout).toMatch(/^NAME /);
    expect((await runWith(['get', '-f', cluster, '-n', 'shop', '-A'])).stdout).toMatch(/^NAMESPACE/);
  });

  it('say on standard error that they are empty, and nothing on standard output', async () => {
    const ran = await runWith(['get', '-f', cluster, '-n', 'nowhere']);
    expect(ran).toEqual({
      stdout: '',
      stderr:
        'Not in the input, and assumed to accept routes: Gateway infra/pubic.\nNo policies found in the namespace nowhere.\n',
      exitCode: 0,
    });
  });

  it.each([
    [
      'shop',
      /^[^\n]* in \d+ policies in the namespace shop\.\nThe answer assumes that policies have the fields of [^\n]*\n$/,
    ],
    ['nowhere', /^No policies found in the namespace nowhere; "kinds" lists the policy kinds\.\n$/],
  ])('of lint count the policies of the namespace %s only', async (namespace, summary) => {
    expect((await runWith(['lint', '-f', cluster, '--only', `namespace=${namespace}`])).stderr).toMatch(summary);
  });

  it('of lint are about all namespaces with -n, which is for names and for objects that have none', async () => {
    const [all, named] = await Promise.all(
      [[], ['-n', 'nowhere']].map((args) => runWith(['lint', '-f', cluster, ...args])),
    );
    expect(named).toEqual(all);
    const stdin = 'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: public }\n';
    const { stdout } = await runWith(['get', 'gateways', '-f', '-', '-n', 'shop', '-A', '-o', 'json'], { stdin });
    expect(JSON.parse(stdout).items).toMatchObject([{ target: { namespace: 'shop', name: 'public' } }]);
  });

  it('say that there was nothing to look at, which is not the same as clean', async () => {
    const nothing = 'The input does not contain Kubernetes objects, so nothing was checked.\n';
    expect(await runWith(['lint', '-f', '-'])).toEqual({ stdout: '', stderr: nothing, exitCode: 2 });
    const stdin =
      'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: public, namespace: shop }\n';
    const none = 'No policies found in the input; "kinds" lists the policy kinds.\n';
    expect(await runWith(['lint', '-f', '-'], { stdin })).toEqual({ stdout: '', stderr: none, exitCode: 0 });
    expect((await runWith(['lint', '-f', '-', '--strict'], { stdin })).exitCode).toBe(3);
    expect((await runWith(['get', '-f', cluster, '--strict'])).exitCode).toBe(0);
  });

  it('refuse other values of --only than a namespace', async () => {
    const { stderr, exitCode } = await runWith(['lint', '-f', cluster, '--only', 'kind=RetryPolicy']);
    expect([exitCode, stderr]).toEqual([
      2,
      'gwpolicy: --only kind=RetryPolicy is not supported here; write --only namespace=shop\n',
    ]);
  });

  it('of lint have a thousand findings at most, and say how many there are besides', async () => {
    const stdin = Array.from({ length: 3000 }, () => 'kind: Service').join('\n---\n');
    const { stdout, exitCode } = await runWith(['lint', '-f', '-', '-o', 'json'], { stdin });
    const { items } = JSON.parse(stdout);
    expect([items.length, items.at(-1).code, exitCode]).toEqual([1001, 'more-findings', 1]);
  });

  it('of kinds count the policies that --only selects', async () => {
    const countsIn = async (...more: string[]) =>
      (await runWith(['kinds', '-f', cluster, '--no-headers', ...more])).stdout
        .split('\n')
        .map((row) => row.split(/\s+/).at(-1));
    const [all, some] = [await countsIn(), await countsIn('--only', 'namespace=infra')];
    expect(some).toHaveLength(all.length);
    expect(some).not.toEqual(all);
    expect(some.every((count, index) => Number(count) <= Number(all[index]))).toBe(true);
  });

  it('list objects by labels', async () => {
    const { stdout } = await runWith(['get', 'httproutes', '-f', cluster, '-l', 'team in (payments)', '-o', 'name']);
    expect(stdout).toBe('httproute.gateway.networking.k8s.io/checkout\n');
  });
});
