import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  retryPolicyDefinition as definition,
  type Folder,
  folderWith,
  retries,
  routes,
} from '../changes/cli.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'defaults: { strategy: patch, attempts: 3 }');
const base = { 'up/deploy/routes.yaml': routes, 'up/deploy/crd.yaml': definition, 'up/deploy/house.yaml': house };

/** Runs git in a folder. */
function git(folder: string, ...args: readonly string[]): string {
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', ['-C', folder, ...user, ...args], { stdio: 'pipe', encoding: 'utf8' }).trim();
}

/** A repository with a policy, a pull request that the callback commits, and a clone for CI with the pull request checked out. */
function pullRequest(change: (deploy: string, folder: Folder) => void): Folder {
  const folder = folderWith(base);
  const up = join(folder.path, 'up');
  git(folder.path, 'init', '--quiet', '--initial-branch=main', 'up');
  git(up, 'add', '.');
  git(up, 'commit', '--quiet', '--message=base');
  git(up, 'checkout', '--quiet', '-b', 'pr');
  change(join(up, 'deploy'), folder);
  git(up, 'add', '--all', '--force');
  git(up, 'commit', '--quiet', '--message=change');
  git(folder.path, 'clone', '--quiet', 'up', 'ci');
  git(join(folder.path, 'ci'), 'branch', '--quiet', 'main', 'origin/main');
  return folder;
}

/** Makes a folder look like a bare repository that misses the content of its manifests, and fetches it by a command. */
function disguise(deploy: string, folder: Folder, config: string): void {
  const decoy = join(folder.path, 'decoy');
  git(folder.path, 'init', '--quiet', '--initial-branch=main', 'decoy');
  writeFileSync(join(decoy, 'house.yaml'), '# nothing\n');
  git(decoy, 'add', '.');
  git(decoy, 'commit', '--quiet', '--message=decoy');
  const blob = git(decoy, 'rev-parse', 'HEAD:house.yaml');
  rmSync(join(decoy, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  cpSync(join(decoy, '.git/objects'), join(deploy, 'objects'), { recursive: true });
  mkdirSync(join(deploy, 'refs/heads'), { recursive: true });
  const commit = git(decoy, 'rev-parse', 'HEAD');
  for (const name of ['HEAD', 'refs/heads/main', 'refs/heads/pr']) writeFileSync(join(deploy, name), `${commit}\n`);
  writeFileSync(join(deploy, 'config'), config);
}

const payload = (folder: Folder) => `touch ${join(folder.path, 'PWNED')}; false`;

const bareConfig = (folder: Folder) => `
[core]
	repositoryformatversion = 1
	bare = true
	fsmonitor = "${payload(folder)}"
[extensions]
	partialClone = origin
[remote "origin"]
	url = .
	promisor = true
	uploadpack = "${payload(folder)}"
`;

describe.skipIf(process.platform === 'win32')('gwpolicy diff --git on a pull request', () => {
  it('runs nothing that a folder says which looks like a bare repository', async () => {
    const folder = pullRequest((deploy, it) => {
      disguise(deploy, it, bareConfig(it));
      writeFileSync(join(deploy, 'house.yaml'), house.replace('kind: Gateway', 'kind: GatewayClass'));
    });
    for (const path of ['@ci/deploy', '@ci/deploy/']) {
      const { code, stdout } = await folder.gwpolicy('diff', '--git', 'main...HEAD', path, '--fail-on', 'lost');
      expect(existsSync(join(folder.path, 'PWNED'))).toBe(false);
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('1 policy loses all effect') });
    }
  });

  it('runs nothing that the configuration of the repository itself says', async () => {
    const folder = pullRequest((deploy) => writeFileSync(join(deploy, 'house.yaml'), house.replace('3', '4')));
    const ci = join(folder.path, 'ci');
    for (const name of [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'diff.external',
      'diff.evil.textconv',
      'diff.evil.command',
      'filter.evil.smudge',
      'filter.evil.clean',
      'filter.evil.process',
      'remote.origin.uploadpack',
      'pager.cat-file',
      'pager.ls-tree',
    ]) {
      git(ci, 'config', name, payload(folder));
    }
    git(ci, 'config', 'extensions.partialClone', 'origin');
    git(ci, 'config', 'core.repositoryFormatVersion', '1');
    git(ci, 'config', 'remote.origin.promisor', 'true');
    git(ci, 'config', 'protocol.file.allow', 'always');
    writeFileSync(join(ci, '.git/info/attributes'), '* filter=evil diff=evil\n');
    mkdirSync(join(ci, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(ci, '.git/hooks', hook), `#!/bin/sh\n${payload(folder)}\n`, { mode: 0o755 });
    }
    const diff = () => folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy');
    expect(await diff()).toMatchObject({ code: 1, stdout: expect.stringContaining('3 → 4') });
    const blob = git(ci, 'rev-parse', 'HEAD:deploy/house.yaml');
    rmSync(join(ci, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect(await diff()).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'gwpolicy: git does not have ci/deploy/house.yaml of HEAD; if the clone is partial, fetch without a filter: git fetch --refetch --no-filter\n',
    });
    expect(existsSync(join(folder.path, 'PWNED'))).toBe(false);
  });

  it('reads a link as the revision has it, and names it', async () => {
    const folder = pullRequest((deploy) => {
      cpSync(deploy, join(deploy, '../copy'), { recursive: true });
      rmSync(join(deploy, '../copy/house.yaml'));
      rmSync(deploy, { recursive: true });
      symlinkSync('copy', deploy);
    });
    const { code, stdout } = await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy');
    expect(code).toBe(1);
    expect(stdout).toContain('RetryPolicy infra/house  enforced  →  gone');
    expect(stdout).toContain('deploy:1  note  deploy is a link to copy; that is read in its place');
    const back = await folder.gwpolicy('diff', '--git', 'HEAD..main', '@ci/deploy/house.yaml');
    expect(back.stdout).toContain('deploy is a link to copy');
  });

  it('names the links that it leaves out', async () => {
    const folder = pullRequest((deploy) => {
      rmSync(join(deploy, 'house.yaml'));
      symlinkSync('../../house.yaml', join(deploy, 'house.yaml'));
    });
    const { stdout } = await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy');
    expect(stdout).toContain('RetryPolicy infra/house  enforced  →  gone');
    expect(stdout).toContain('ci/deploy/house.yaml is a link, and is left out; name it to follow it');
  });

  it.each([
    ['out of the repository', (deploy: string) => symlinkSync('../..', deploy), 'deploy is a link to ../..'],
    ['to an absolute path', (deploy: string) => symlinkSync('/etc', deploy), 'deploy is a link to /etc'],
    ['to itself', (deploy: string) => symlinkSync('deploy', deploy), 'more than 40 links'],
  ])('says that a link leads %s', async (_what, link, message) => {
    const folder = pullRequest((deploy) => {
      rmSync(deploy, { recursive: true });
      link(deploy);
    });
    const { code, stdout, stderr } = await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('does not take a submodule for the repository', async () => {
    const folder = pullRequest((_deploy, { path }) => {
      git(path, 'clone', '--quiet', '--branch=main', 'up', 'evil');
      git(join(path, 'evil'), 'branch', 'pr');
      git(join(path, 'up'), 'rm', '-r', '--quiet', 'deploy');
      git(join(path, 'up'), 'submodule', '--quiet', 'add', '--force', '../evil', 'deploy');
    });
    git(join(folder.path, 'ci'), 'submodule', '--quiet', 'update', '--init');
    expect(readFileSync(join(folder.path, 'ci/deploy/.git'), 'utf8')).toContain('gitdir');
    const { code, stderr } = await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy/deploy');
    expect(code).toBe(2);
    expect(stderr).toContain('deploy is a submodule');
  });

  it('says that a path is in neither revision', async () => {
    const folder = pullRequest((deploy) => writeFileSync(join(deploy, 'house.yaml'), ''));
    expect(await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deplyo')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'gwpolicy: neither revision of main...HEAD has ci/deplyo; correct the path\n',
    });
  });

  it('fails with --fail-on lost when a file can no longer be read, because nothing proves that its policies are gone', async () => {
    const folder = pullRequest((deploy) => writeFileSync(join(deploy, 'house.yaml'), 'kind: [RetryPolicy'));
    const { code, stdout } = await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy', '--fail-on', 'lost');
    expect([code, stdout]).toEqual([1, expect.stringContaining('house.yaml')]);
  });

  it('names a submodule that takes the place of a file, and fails with --fail-on lost', async () => {
    const folder = pullRequest((deploy) => {
      const up = join(deploy, '..');
      rmSync(join(deploy, 'house.yaml'));
      git(up, 'update-index', '--force-remove', 'deploy/house.yaml');
      git(up, 'update-index', '--add', '--cacheinfo', `160000,${git(up, 'rev-parse', 'main')},deploy/house.yaml`);
      mkdirSync(join(deploy, 'house.yaml'));
    });
    const { code, stdout } = await folder.gwpolicy('diff', '--git', 'main...HEAD', '@ci/deploy', '--fail-on', 'lost');
    expect([code, stdout]).toEqual([1, expect.stringContaining('is a submodule, and is left out')]);
  });

  it('starts no git that the pull request has committed, where npx puts it first into the PATH', {
    timeout: 60_000,
  }, () => {
    const folder = pullRequest((deploy, { path }) => {
      const bin = join(deploy, '../node_modules/.bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'git'), `#!/bin/sh\ntouch ${join(path, 'PWNED')}\n`, { mode: 0o755 });
    });
    const ci = join(folder.path, 'ci');
    const program = fileURLToPath(new URL('../../gwpolicy.ts', import.meta.url));
    const flags = ['--conditions=@policy-machinery/source', '--import', import.meta.resolve('tsx')];
    const PATH = `${join(ci, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
    const args = [...flags, program, 'diff', '--git', 'main...HEAD', 'deploy'];
    const stdout = execFileSync(process.execPath, args, { cwd: ci, env: { ...process.env, PATH }, encoding: 'utf8' });
    expect(stdout).toBe('Nothing changes for any policy.\n');
    expect(existsSync(join(folder.path, 'PWNED'))).toBe(false);
  });
});
