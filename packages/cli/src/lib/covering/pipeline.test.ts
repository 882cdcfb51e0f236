import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith, type Printed } from '../changes/cli.fixture.ts';
import { cors, edge, good, login, policy, route } from './shop.fixture.ts';

/** The commands of the workflow in docs/ci.md that works without the action. */
const documented = readFileSync(new URL('../../../../../docs/ci.md', import.meta.url), 'utf8')
  .split('### Without the action')[1]
  ?.split('```')[1]
  ?.match(/gwpolicy (?:lint|diff).*/g)
  ?.map((line) =>
    line
      .replace(/ >> .*/, '')
      .replace('origin/$GITHUB_BASE_REF', 'main')
      .replaceAll(/^gwpolicy |"/g, ''),
  );

const guarantee = `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: all }
spec: { holds: 'true' }
`;

const cwd = process.cwd();
afterAll(() => process.chdir(cwd));

/** Runs the documented commands on a pull request that adds a file. */
async function pullRequest(files: Readonly<Record<string, string>>, added: string): Promise<readonly Printed[]> {
  const folder = folderWith(files);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder.path });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=before');
  git('checkout', '--quiet', '-b', 'change');
  folder.write({ 'deploy/added.yaml': added });
  git('add', '.');
  git('commit', '--quiet', '--message=after');
  process.chdir(folder.path);
  const printed: Printed[] = [];
  for (const command of documented ?? []) printed.push(await folder.gwpolicy(...command.split(' ')));
  return printed;
}

describe('the pipeline of docs/ci.md, on a policy with CORS that replaces the authentication', () => {
  let lint: Printed;
  let diff: Printed;
  beforeAll(async () => {
    [lint, diff] = (await pullRequest({ 'deploy/shop.yaml': good, 'guarantees/all.yaml': guarantee }, cors)) as [
      Printed,
      Printed,
    ];
  });

  it('fails in lint with one sentence that names the policy, the route and the remedy, at its line', () => {
    expect(lint.code).toBe(1);
    expect(lint.stdout.split('\n').filter((line) => line.startsWith('::error'))).toEqual([
      expect.stringMatching(
        /^::error file=deploy\/added.yaml,line=\d+.*SecurityPolicy shop\/cors replaces the authentication of Gateway infra\/public for 1 rule of HTTPRoute shop\/cart; set mergeType to keep it/,
      ),
    ]);
  });

  it('fails in diff, and the comment begins with the requests that lose their protection', () => {
    expect(diff.code).toBe(1);
    expect(diff.stdout.split('\n').slice(0, 7).join('\n')).toBe(
      [
        '### Protection',
        '',
        '| Change | Concern | Requests | Route | Reason |',
        '| --- | --- | --- | --- | --- |',
        '| ✓ → ✕ | AUTHN | cart.example.com/ | HTTPRoute shop/cart | SecurityPolicy shop/cors replaces the authentication of Gateway infra/public; set mergeType in shop/cors to keep it |',
        '',
        '1 route loses protection, 1 class of requests is treated differently, 1 effective policy changes, 2 other outcomes change.',
      ].join('\n'),
    );
  });
});

it('puts routes together that lose their protection for the same reason', async () => {
  const routes = Array.from({ length: 20 }, (_, index) => route(`r${index}`)).join('');
  const before = `${edge()}${login}${routes}`;
  const optional = policy('infra/login', 'Gateway public', 'cors: {}');
  const files = { 'a/a.yaml': before, 'b/a.yaml': `${edge()}${optional}${routes}` };
  const { stdout } = await folderWith(files).gwpolicy('diff', '@a', '@b', '-o', 'markdown');
  expect(stdout).toMatch(/^20 routes lose protection/m);
  expect(stdout).toContain(
    '| ✓ → ✕ | AUTHN | r0.example.com/, r1.example.com/ \\+18 more | HTTPRoute shop/r0, HTTPRoute shop/r1 \\+18 more |',
  );
});
