import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bad, good } from '../../packages/cli/src/lib/covering/shop.fixture.ts';
import { Ci, pullFrom } from './ci.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'lost-login-'));
const repository = join(folder, 'repository');
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });
let ci: Ci;
let base: string;

function commit(text: string): string {
  ci.write('repository/deploy/all.yaml', text);
  git('add', '.');
  git('commit', '--quiet', '--message=change');
  return git('rev-parse', 'HEAD').trim();
}

beforeAll(async () => {
  ci = await Ci.install(folder);
  ci.write('repository/README.md', 'Manifests of a shop.\n');
  git('init', '--quiet', '--initial-branch=main');
  base = commit(good);
});

const scripts = {
  action: async () => {
    const inputs = { PATH: 'deploy' };
    const { code, stdout, summary } = await ci.action(repository, pullFrom('stranger', base), inputs, 'http://[::1]:9');
    return { code, comment: summary, said: stdout };
  },
  component: async () => {
    const variables = { TMPDIR: folder, CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
    const { code, stdout } = await ci.component(repository, { path: 'deploy' }, variables);
    return { code, comment: stdout, said: stdout };
  },
} as const;

const accepting = bad.replace(
  'name: cart, namespace: shop',
  'name: cart, namespace: shop, annotations: { coverage.policy-machinery/accept: "authentication: a" }',
);

describe.skipIf(process.platform === 'win32').each(['action', 'component'] as const)('the %s', (name) => {
  it('fails a policy of a route that replaces a login, with one sentence that names policy, route and remedy', async () => {
    commit(bad);
    const { code, comment, said } = await scripts[name]();
    expect(code).toBe(1);
    expect(said).toContain(
      'SecurityPolicy shop/cors replaces the authentication of Gateway infra/public for 1 rule of HTTPRoute shop/cart; set mergeType to keep it',
    );
    const [first, second] = comment.split('\n').filter((line) => line.startsWith('### ') || line.includes('shop/cart'));
    expect([first, second]).toEqual([
      '### Protection',
      '| ✓ → ✕ | AUTHN | cart.example.com/ | HTTPRoute shop/cart | SecurityPolicy shop/cors replaces the authentication of Gateway infra/public; set mergeType in shop/cors to keep it |',
    ]);
  });

  it('fails it also if the change accepts that itself', async () => {
    commit(accepting);
    const { code, comment } = await scripts[name]();
    expect([code, comment]).toEqual([1, expect.stringContaining('| ✓ → ✕ | AUTHN | cart.example.com/ |')]);
  });
});
