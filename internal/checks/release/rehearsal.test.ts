import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../files.ts';
import { commands, output, writeFilesTo } from '../getting-started.ts';
import { newestNode, oldestNode, published } from '../packages.ts';
import { type Registry, startRegistry } from './registry.ts';

const tarballs = inject('tarballs');
const home = mkdtempSync(join(tmpdir(), 'policy-machinery-release-'));
const settings = join(home, '.npmrc');
let registry: Registry;

/** Runs a command as a user would whose npm knows only the registry of the rehearsal. The registry answers meanwhile, so this waits without blocking. */
async function run(command: string, args: readonly string[], cwd: string, path = ''): Promise<string> {
  const env = { NPM_CONFIG_USERCONFIG: settings, NPM_CONFIG_REGISTRY: registry.url };
  const PATH = [path, process.env.PATH].filter(Boolean).join(delimiter);
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, ...env, PATH },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

function emptyFolder(name: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  return folder;
}

beforeAll(async () => {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
  registry = await startRegistry(stdout.trim().replace(/\/?$/, '/'));
  writeFileSync(settings, `${registry.url.replace('http:', '')}:_authToken=rehearsal\n`);
  // What npm checks of a provenance needs a workflow of a provider; all else is as in a release.
  for (const file of Object.values(tarballs)) await run('npm', ['publish', file, '--provenance=false'], home);
});
afterAll(() => {
  registry.close();
});

describe('a release', () => {
  it('publishes every package', () => {
    expect(registry.names).toEqual(published.map(({ manifest }) => manifest.name).sort());
  });

  it.each(published)(
    'publishes $manifest.name for all, with a provenance, and a changelog of this version',
    ({ folder, manifest }) => {
      expect(manifest.publishConfig).toMatchObject({ access: 'public', provenance: true });
      expect(readFileSync(`${root}${folder}/CHANGELOG.md`, 'utf8')).toMatch(
        new RegExp(`^# ${manifest.name}\n\n## ${manifest.version.replaceAll('.', '\\.')}\n\n\\S`),
      );
    },
  );
});

describe.each([oldestNode, newestNode])('installed from the registry, on Node %s', (version) => {
  let bin: string;

  beforeAll(async () => {
    const folder = emptyFolder(`node-${version}`);
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `node@${version}`], folder);
    bin = join(folder, 'node_modules/node/bin');
  });

  it('getting started leads to the output on the page', async () => {
    const folder = emptyFolder(`getting-started-${version}`);
    await run('bash', ['-ec', commands], folder, bin);
    writeFilesTo(folder);
    expect(await run('node', ['--version'], folder, bin)).toBe(`v${version}\n`);
    expect(await run('node_modules/.bin/tsc', [], folder, bin)).toBe('');
    expect(await run('node_modules/.bin/tsx', ['main.ts'], folder, bin)).toBe(output);
  });

  it('the command answers', async () => {
    const folder = emptyFolder(`gwpolicy-${version}`);
    await run('npm', ['install', '--no-audit', '--no-fund', 'gwpolicy'], folder, bin);
    const args = ['explain', 'httproute/checkout#pay', '-f', `${root}packages/cli/golden/cluster`];
    const golden = readFileSync(`${root}packages/cli/golden/output/readme-explain.golden.txt`, 'utf8');
    expect(await run('node_modules/.bin/gwpolicy', args, folder, bin)).toBe(golden);
  });
});
