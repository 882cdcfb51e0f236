import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../files.ts';
import { isProgram, published } from '../packages.ts';

/** Runs a command line tool of the workspace; what it finds is what the test fails with. */
function run(tool: string, ...args: readonly string[]): void {
  try {
    execFileSync(`${root}internal/checks/node_modules/.bin/${tool}`, args, {
      stdio: 'pipe',
      env: { ...process.env, NO_COLOR: '1' },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${tool} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

describe.each(Object.entries(inject('tarballs')))('%s, packed', (name, tarball) => {
  const own = published.find(({ manifest }) => manifest.name === name);
  const isLibrary = own !== undefined && !isProgram(own.manifest);
  const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-tarball-'));
  let files: readonly string[] = [];

  beforeAll(() => {
    execFileSync('tar', ['--extract', '--file', tarball, '--directory', folder, '--strip-components', '1']);
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  });

  it('passes publint', () => {
    run('publint', tarball, '--strict');
  });

  it.runIf(isLibrary)('has types that resolve wherever ES modules do', () => {
    run('attw', tarball, '--profile', 'esm-only');
  });

  it('holds documents, code and sources, and no tests', () => {
    const entries = own?.entries.values() ?? [];
    const sources = [...entries].map((source) => source.slice('./'.length));
    const code = sources.map((source) => source.replace('src/', 'dist/').replace('.ts', '.js'));
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', ...code, ...sources]));
    expect(files.filter((file) => /\.(test|test-d|fixture)\.ts$|node_modules|vectors/.test(file))).toEqual([]);
  });

  it.runIf(isLibrary)('maps its code to the sources that it holds', () => {
    const maps = files.filter((file) => file.endsWith('.js.map'));
    const built = files.filter((file) => file.startsWith('dist/') && file.endsWith('.js'));
    expect(maps.map((map) => map.slice(0, -'.map'.length))).toEqual(built);
    for (const map of maps) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, map), 'utf8'));
      const missing = sources.map((source: string) => relative(folder, resolve(folder, dirname(map), source)));
      expect(missing.filter((source: string) => !files.includes(source))).toEqual([]);
      expect(sourcesContent).toBeUndefined();
    }
  });

  it.skipIf(isLibrary)('has programs that begin with the line that runs them', () => {
    for (const file of Object.values(own?.manifest.bin ?? {})) {
      expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });

  it('depends on versions, not on this workspace', () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\^?\d/);
  });
});
