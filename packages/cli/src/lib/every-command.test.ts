import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';
import { commands } from './commands/commands.ts';
import { flagsOf } from './model/command-flags.ts';

/** Commands that read no objects, or that do not answer questions about them. */
const withoutObjects: ReadonlySet<string> = new Set(['completion', 'guarantee', 'version']);

const reading = commands.filter(({ name }) => !withoutObjects.has(name));

describe('every command that reads objects', () => {
  it.each(reading)('places names and objects by -n, and filters by --only: $name', (entry) => {
    expect(flagsOf(entry)).toEqual(expect.arrayContaining(['namespace', 'only']));
  });

  it.each(reading.filter(({ input }) => input !== 'served'))('can be strict about nothing: $name', (entry) => {
    expect(flagsOf(entry)).toContain('strict');
  });

  it('has a question here', () => {
    expect(Object.keys(questions).toSorted()).toEqual(
      reading
        .filter(({ input }) => input !== 'served')
        .map(({ name }) => name)
        .toSorted(),
    );
  });
});

const house = retries('infra/house', 'Gateway public', 'attempts: 3');
const own = (attempts: number) => retries('shop/own', 'HTTPRoute cart', `attempts: ${attempts}`);
const world = (policy: string) => [routes, retryPolicyDefinition, house, policy].join('\n---\n');
const test = `
apiVersion: policy-machinery/v1alpha1
kind: PolicyTest
resources: [all.yaml]
cases:
  - { name: shop/cart, target: HTTPRoute shop/cart#show, policy: RetryPolicy, spec: { attempts: 9 } }
`;
const guarantee = `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: few }
spec: { holds: policies.RetryPolicy.spec.attempts < 4 }
`;
const lost = retries('shop/lost', 'HTTPRoute nowhere', 'attempts: 5');

/** A question of each command whose answer is about the namespace shop. */
const questions: Readonly<Record<string, readonly string[]>> = {
  get: ['-f', '@now'],
  explain: ['httproute/shop/cart', '-f', '@now'],
  reach: ['retrypolicy/shop/own', '-f', '@now'],
  tree: ['-f', '@now'],
  request: ['http://shop.example.com/cart', '-f', '@now'],
  lint: ['-f', '@now'],
  coverage: ['-f', '@now'],
  diff: ['@now', '@next'],
  impact: ['-f', '@next/all.yaml', '--against', '@now'],
  test: ['@now'],
  verify: ['@guarantee.yaml', '-f', '@now'],
  status: ['-f', '@now', '-o', 'json'],
  kinds: ['-f', '@now'],
  graph: ['-f', '@now'],
  report: ['-f', '@now'],
};

/** What the answer about all namespaces has, and the answer about another namespace lacks. */
const ofShop: Readonly<Record<string, RegExp>> = {
  kinds: /known +schema +input +3\n/,
  verify: /broken/,
  graph: /own/,
  report: /"own"/,
  status: /"own"/,
  lint: /nowhere/,
  coverage: /\nshop /,
  get: /own/,
};

/** Commands whose answer says nothing of its own about a namespace: a page has all objects, since they affect one another. */
const listsOnly: ReadonlySet<string> = new Set(['report']);

const files = {
  'now/all.yaml': `${world(own(5))}\n---\n${lost}`,
  'now/a.policy-test.yaml': test,
  'next/all.yaml': `${world(own(6))}\n---\n${lost}`,
  'guarantee.yaml': guarantee,
};

describe.each(Object.entries(questions))('gwpolicy %s', (command, args) => {
  const folder = folderWith(files);
  const about = ofShop[command] ?? /shop\/cart|lost/;

  it.skipIf(listsOnly.has(command))(
    'answers about the namespace that --only names, and about no other one',
    async () => {
      const all = [command, ...args, ...(command === 'get' || command === 'status' ? ['-A'] : [])];
      expect((await folder.gwpolicy(...all)).stdout).toMatch(about);
      expect((await folder.gwpolicy(...all, '--only', 'namespace=shop')).stdout).toMatch(
        command === 'kinds' ? /known +schema +input +2\n/ : about,
      );
      expect((await folder.gwpolicy(...all, '--only', 'namespace=parcels')).stdout).not.toMatch(about);
    },
  );

  it.runIf(command === 'test')('has another exit code with --strict if no case is meant', async () => {
    const { code } = await folder.gwpolicy(command, ...args, '--strict', '--only', 'namespace=nowhere');
    expect(code).toBe(3);
  });

  it('has another exit code with --strict without policies', async () => {
    const none = {
      'now/all.yaml': routes,
      'next/all.yaml': routes,
      'now/a.policy-test.yaml': test.replace(/cases:(?:.|\n)*/, 'cases: []\n'),
    };
    const empty = folderWith({
      ...files,
      ...none,
      'guarantee.yaml': guarantee.replace(/holds: .*/, 'holds: "true" }'),
    });
    const asked = command === 'reach' ? ['gateway/infra/public', ...args.slice(1)] : args;
    const usual = await empty.gwpolicy(command, ...asked);
    const strict = await empty.gwpolicy(command, ...asked, '--strict');
    expect([usual.code, strict.code]).toEqual(command === 'reach' ? [2, 2] : [0, 3]);
  });
});
