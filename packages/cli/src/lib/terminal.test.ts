import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';
import { edge, login, policy, route } from './covering/shop.fixture.ts';
import { runWith } from './run.fixture.ts';

/** A Gateway with 60 routes, of which each tenth has a policy of its own. */
const names = Array.from({ length: 60 }, (_, index) => `svc-${String(index).padStart(2, '0')}`);
const own = (name: string) => policy(`shop/own-${name}`, `HTTPRoute ${name}`, `cors: { maxAge: "${name.slice(4)}s" }`);
const all = `${edge()}${login}${names.map((name) => route(name)).join('')}${names
  .filter((_, index) => index % 6 === 0)
  .map(own)
  .join('')}`;
const folder = folderWith({ 'all.yaml': all });

/** Returns the lines of an answer on a terminal. */
async function shown(columns: number, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runWith([...args, '-f', folder.path, '--color', 'never'], { isTTY: true, columns });
  return stdout.trimEnd().split('\n');
}

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  it.each([
    ['get', '-A'],
    ['get', 'httproutes', '-A'],
    ['lint'],
    ['reach', 'securitypolicy/login'],
    ['explain', 'gateway/public'],
    ['explain', 'https://svc-01.example.com/'],
    ['get', 'securitypolicies,httproutes', '-A'],
    ['tree'],
    ['coverage'],
    ['coverage', '--by', 'rule'],
    ['status'],
    ['kinds'],
    ['verify', '--every', 'authentication'],
    ['guarantee', 'list'],
  ])('%s %s fits', async (...args) => {
    expect((await shown(columns, ...args)).filter((line) => line.length > columns)).toEqual([]);
  });

  it('reach lists the losses first, and sums up the rest', async () => {
    const lines = await shown(columns, 'reach', 'securitypolicy/login');
    const rows = lines.filter((line) => line.startsWith('HTTPRoute'));
    expect(rows.slice(0, 10).every((line) => line.includes('overridden'))).toBe(true);
    expect(rows.slice(10).every((line) => line.includes('enforced'))).toBe(true);
    expect(lines.at(-1)).toBe('and 36 more: 36 HTTPRoute in shop; -o json has all');
  });

  it('explain of a Gateway shows the routes that lose something, and counts the others', async () => {
    const lines = await shown(columns, 'explain', 'gateway/public');
    expect(lines[0]).toBe('HTTPRoute shop/svc-00#rule-1');
    expect(lines.at(-1)).toBe('and 3 more HTTPRoute in shop; -o json has all');
  });
});

describe('in a pipe', () => {
  it('reach has a row for each target', async () => {
    const { stdout } = await folder.gwpolicy('reach', 'securitypolicy/login', '-f', '@');
    expect(stdout.match(/^HTTPRoute /gm)).toHaveLength(60);
  });
});

describe('words that people write', () => {
  const same = async (args: readonly string[], other: readonly string[]) => {
    expect(await folder.gwpolicy(...args)).toEqual(await folder.gwpolicy(...other));
  };

  it('explain takes a URL and a policy', async () => {
    await same(
      ['explain', 'https://svc-01.example.com/', '-f', '@'],
      ['request', 'https://svc-01.example.com/', '-f', '@'],
    );
    await same(['explain', 'securitypolicy/login', '-f', '@'], ['reach', 'securitypolicy/login', '-f', '@']);
  });

  it('lint takes folders with their subfolders', async () => {
    const deep = folderWith({
      'a/b/all.yaml': [routes, retryPolicyDefinition, retries('shop/lost', 'HTTPRoute gone', 'attempts: 1')].join(
        '---',
      ),
    });
    const { code, stdout } = await deep.gwpolicy('lint', '@');
    expect([code, stdout]).toEqual([1, expect.stringContaining('HTTPRoute shop/gone')]);
    expect(await deep.gwpolicy('lint', '@')).toEqual(await deep.gwpolicy('lint', '-R', '-f', '@'));
  });

  it('get shows the policies with an outcome', async () => {
    const { stdout } = await folder.gwpolicy(
      'get',
      '-A',
      '-f',
      '@',
      '--outcome',
      'partly-enforced,overridden',
      '--no-headers',
    );
    expect(stdout).toMatch(/^infra +login +SecurityPolicy .*\n$/);
    expect(await folder.gwpolicy('get', '-f', '@', '--outcome', 'lost')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--outcome lost is not an outcome; outcomes are enforced, '),
    });
  });
});

describe('help', () => {
  it.each(['get', 'coverage', 'request'])(
    'of %s has examples and its own flags before the common ones',
    async (name) => {
      const { stdout } = await runWith([name, '--help']);
      const places = ['Examples:', '\nFlags:', 'Flags of the input:', 'Flags of the cluster:', 'Flags of the output:'];
      const found = places.map((heading) => stdout.indexOf(heading));
      expect([found.includes(-1), found]).toEqual([false, found.toSorted((a, b) => a - b)]);
    },
  );
});
