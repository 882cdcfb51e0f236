import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

const guarantee = (holds: string, more = '') => `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: retried }
spec: { holds: '${holds}'${more} }
`;
const strict = guarantee('has(policies.RetryPolicy)');
const policyTest = (attempts: number) => `apiVersion: policy-machinery/v1alpha1
kind: PolicyTest
resources: ["."]
cases: [{ name: retried, target: HTTPRoute shop/cart, policy: RetryPolicy, spec: { attempts: ${attempts} } }]
`;
const cluster = [retryPolicyDefinition, routes].join('---');
const all = retries('infra/all', 'Gateway public', 'attempts: 3');

/** A repository with a revision `main`, and a work tree in which files are other ones, or gone. */
function branch(files: Readonly<Record<string, string | undefined>>) {
  const folder = folderWith({
    'deploy/cluster.yaml': cluster,
    'deploy/all.yaml': all,
    'deploy/retries.policy-test.yaml': policyTest(3),
    'guarantees/strict.yaml': strict,
  });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder.path });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=main');
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(folder.path, name));
    else folder.write({ [name]: text });
  }
  return folder;
}

const weaker = {
  'deploy/all.yaml': undefined,
  'guarantees/other.yaml': guarantee('true').replace('retried', 'other'),
};

describe('verify --base', () => {
  const verify = (files: Parameters<typeof branch>[0], ...args: readonly string[]) =>
    branch(files).gwpolicy('verify', '-R', '-f', '@deploy', '@guarantees', '--base', 'main', ...args);

  it.each<[string, string | undefined]>([
    ['weakens', guarantee('true || has(policies.RetryPolicy)')],
    [
      'restricts',
      guarantee('has(policies.RetryPolicy)', ', requests: { paths: [{ value: /none }] }, mayBeEmpty: true'),
    ],
    ['deletes', undefined],
  ])('verifies a guarantee that a change %s as it was', async (_what, text) => {
    const { code, stdout } = await verify({ ...weaker, 'guarantees/strict.yaml': text });
    expect([code, stdout]).toEqual([1, expect.stringContaining('retried (base) is broken')]);
    expect(stdout).toContain('GET http://example.com/pay');
  });

  it('verifies guarantees of a file or folder that a change deletes', async () => {
    const folder = branch({ 'deploy/all.yaml': undefined, 'guarantees/strict.yaml': undefined });
    const args = ['verify', '-R', '-f', '@deploy', '@guarantees/strict.yaml', '--base'];
    expect((await folder.gwpolicy(...args, 'main')).code).toBe(1);
    expect(await folder.gwpolicy(...args.slice(0, -1))).toMatchObject({ code: 2 });
  });

  it('verifies a guarantee once if it is the same, wherever it is', async () => {
    const { code, stdout } = await verify({ 'guarantees/strict.yaml': undefined, 'guarantees/moved.yaml': strict });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('(base)')]);
  });

  it('names the place of an error in the revision', async () => {
    const { code, stderr } = await verify({
      'deploy/cluster.yaml': routes,
      'deploy/all.yaml': undefined,
      'guarantees/strict.yaml': guarantee('true'),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('guarantees/strict.yaml:4:')]);
  });
});

describe('test --base', () => {
  it.each<[string, string | undefined]>([
    ['edits', policyTest(9)],
    ['deletes', undefined],
  ])('runs a test that a change %s as it was', async (_what, text) => {
    const folder = branch({
      'deploy/all.yaml': all.replace('attempts: 3', 'attempts: 9'),
      'deploy/retries.policy-test.yaml': text,
    });
    const { code, stdout } = await folder.gwpolicy('test', '@deploy', '--base', 'main');
    expect([code, stdout]).toEqual([1, expect.stringContaining('deploy/retries.policy-test.yaml (base)')]);
    expect((await folder.gwpolicy('test', '@deploy')).code).toBe(0);
  });

  it('runs a test once if it is the same', async () => {
    const { code, stdout } = await branch({}).gwpolicy('test', '@deploy', '--base', 'main');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('(base)')]);
  });
});

describe('diff --git', () => {
  const diff = async (files: Parameters<typeof branch>[0], ...args: readonly string[]) => {
    const folder = branch(files);
    execFileSync('git', ['add', '--all'], { cwd: folder.path });
    const commit = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=branch'];
    execFileSync('git', commit, { cwd: folder.path });
    return folder.gwpolicy('diff', '--git', 'main~1..main', '@deploy', '--guarantees', '@guarantees', ...args);
  };
  const annotated = cluster.replace(
    'name: cart,',
    'name: cart, annotations: { "coverage.policy-machinery/accept": "authentication: x" },',
  );

  it.each<[string, Parameters<typeof branch>[0], string]>([
    ['weakens a guarantee', { 'guarantees/strict.yaml': guarantee('true') }, 'Guarantee retried  edited'],
    ['deletes a guarantee', { 'guarantees/strict.yaml': undefined, ...weaker }, 'Guarantee retried  deleted'],
    ['edits a test', { 'deploy/retries.policy-test.yaml': policyTest(9) }, 'deploy/retries.policy-test.yaml  edited'],
    ['deletes a test', { 'deploy/retries.policy-test.yaml': undefined }, 'deploy/retries.policy-test.yaml  deleted'],
    ['excludes files', { 'deploy/.gwpolicyignore': 'all.yaml\n.gwpolicyignore\n' }, 'deploy/.gwpolicyignore  added'],
    [
      'accepts a fault of a route',
      { 'deploy/cluster.yaml': annotated },
      'coverage.policy-machinery/accept of HTTPRoute shop/cart  added',
    ],
    [
      'accepts faults in a file',
      { 'deploy/a.yaml': 'apiVersion: policy-machinery/v1alpha1\nkind: CoverageAcceptance\naccepted: []\n' },
      'deploy/a.yaml  added',
    ],
  ])('lists first that a change %s', async (_what, files, line) => {
    const { code, stdout } = await diff(files);
    expect(stdout.replaceAll(/ {2,}/g, '  ')).toMatch(/^Checks that this changes\n/);
    expect([code, stdout.replaceAll(/ {2,}/g, '  ')]).toEqual([1, expect.stringContaining(line)]);
  });

  it('fails for a guarantee that a change breaks and weakens', async () => {
    const weakened = { 'deploy/all.yaml': undefined, 'guarantees/strict.yaml': guarantee('true') };
    const { code, stdout } = await diff(weakened, '--fail-on', 'lost');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/retried \(base\) +holds +→ +broken/)]);
    expect(await diff({ 'guarantees/strict.yaml': guarantee('true') }, '--fail-on', 'lost')).toMatchObject({ code: 0 });
  });
});
