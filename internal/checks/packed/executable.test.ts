import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../files.ts';
import { newestNode } from '../packages.ts';

const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-executable-'));
const node = join(folder, 'node_modules/node/bin/node');
const executable = join(folder, 'built/gwpolicy');
/** A folder with manifests, and nothing else. */
const work = join(folder, 'work');

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const packages = [`node@${newestNode}`, inject('tarballs').gwpolicy ?? ''];
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', ...packages]);
  const build = `
    const { buildExecutable, packExecutable } = await import('${root}internal/distribution/src/executable.ts');
    packExecutable(await buildExecutable('${join(folder, 'built')}'), '1.2.3', '${root}LICENSE');`;
  execFileSync(node, ['--input-type=module', '--eval', build], { cwd: root, stdio: 'pipe' });
  cpSync(`${root}packages/cli/golden`, work, { recursive: true });
});

/** Runs the executable where there is neither Node nor anything else in the PATH. */
function run(args: readonly string[], program = executable, env = {}): SpawnSyncReturns<string> {
  return spawnSync(program, args, { cwd: work, env: { PATH: join(folder, 'nowhere'), ...env }, encoding: 'utf8' });
}

const goldenOf = (name: string) => readFileSync(`${root}packages/cli/golden/output/${name}.golden.txt`, 'utf8');

describe('the single executable, without Node', () => {
  it.each([
    ['explain', ['explain', 'httproute/checkout#pay', '-f', 'cluster'], 'readme-explain', 0],
    ['lint', ['lint', '-f', 'cluster', '-o', 'json'], 'lint.json', 1],
    ['verify', ['verify', '-f', 'cluster', 'guarantees.yaml'], 'verify.table', 1],
  ])('answers as the package does: %s', (_name, args, golden, code) => {
    const { stdout, status } = run(args);
    expect([status, goldenOf(golden)]).toEqual([code, expect.stringContaining(stdout)]);
    expect(stdout).not.toBe('');
  });

  it('lists policies', () => {
    const { stdout, stderr, status } = run(['get', '-f', 'cluster', '-o', 'name']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('infra/pubic')]);
    expect(stdout).toContain('ratelimitpolicy.kuadrant.io/cart');
  });

  it('makes the report, with its scripts and styles', () => {
    const { stdout, status } = run(['report', '-f', 'cluster']);
    expect([status, stdout.length > 50_000, stdout]).toEqual([0, true, expect.stringMatching(/^<!doctype html>/i)]);
  });

  it('serves assistants', () => {
    expect(run(['mcp', '-f', 'cluster'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['kind.mjs', 'export const kind = '],
    ['kind.cjs', 'module.exports = '],
    ['kind.mts', 'export const kind: object = '],
  ])('imports a module of --kinds: %s', (name, begin) => {
    writeFileSync(join(work, name), `${begin}{};`);
    const { stderr } = run(['kinds', '-f', 'cluster', '--kinds', name]);
    expect(stderr).toContain(`--kinds ${name} does not export a policy kind`);
  });

  it('is a plugin of kubectl by its name', () => {
    for (const name of ['kubectl-gwpolicy', 'kubectl_complete-gwpolicy']) symlinkSync(executable, join(folder, name));
    expect(run(['tree', '--help'], join(folder, 'kubectl-gwpolicy')).stdout).toMatch(/^Usage: kubectl gwpolicy tree /);
    expect(run(['rea'], join(folder, 'kubectl_complete-gwpolicy')).stdout).toMatch(/^reach\t.*\n:4\n$/);
  });

  it('obeys no options for Node', () => {
    writeFileSync(join(work, 'other.cjs'), 'console.log("other code");');
    const { stdout } = run(['version'], executable, { NODE_OPTIONS: `--require ${join(work, 'other.cjs')}` });
    expect(stdout).toMatch(/^gwpolicy \d/);
  });

  it('is packed with the licences of all that is in it', () => {
    const [archive = ''] = readdirSync(join(folder, 'built')).filter((name) => name.startsWith('gwpolicy_1.2.3_'));
    const list = execFileSync('tar', ['-tzf', join(folder, 'built', archive)], { encoding: 'utf8' });
    expect(list.trim().split('\n')).toEqual(['gwpolicy', 'LICENSE', 'THIRD-PARTY-LICENSES', 'LICENSE-node']);
  });

  it('starts in at most one and a half times the CPU time of the package', () => {
    const cpu = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null`;
    const least = (...command: readonly string[]) => {
      const times = Array.from({ length: 9 }, () => {
        const { stderr } = spawnSync('bash', ['-c', cpu, 'bash', ...command], { encoding: 'utf8' });
        return stderr
          .trim()
          .split(' ')
          .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
      });
      return Math.min(...times);
    };
    const [npm, single] = [
      least(node, join(folder, 'node_modules/gwpolicy/dist/gwpolicy.js'), '--help'),
      least(executable, '--help'),
    ];
    console.log(`gwpolicy --help: ${single} ms of CPU time as an executable, ${npm} ms as the package`);
    expect(single).toBeLessThan(1.5 * npm);
  });
});
