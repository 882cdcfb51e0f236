import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../files.ts';
import { published } from '../packages.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-tarball-'));
  let files: readonly string[] = [];

  beforeAll(() => {
    execFileSync('tar', ['--extract', '--file', tarball, '--directory', folder, '--strip-components', '1']);
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is what publint asks for', () => {
    run('publint', tarball, '--strict');
  });

  it('has types that resolve wherever ES modules do', () => {
    run('attw', tarball, '--profile', 'esm-only');
  });

  it('holds documents, code and sources, and no tests', () => {
    const entries = published.find(({ manifest }) => manifest.name === name)?.entries.values() ?? [];
    const sources = [...entries].map((source) => source.slice('./'.length));
    const code = sources.map((source) => source.replace('src/', 'dist/').replace('.ts', '.js'));
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', ...code, ...sources]));
    expect(files.filter((file) => /\.(test|test-d|fixture)\.ts$|node_modules|vectors/.test(file))).toEqual([]);
  });

  it('maps its code to the sources that it holds', () => {
    const maps = files.filter((file) => file.endsWith('.js.map'));
    expect(maps.map((map) => map.slice(0, -'.map'.length))).toEqual(files.filter((file) => file.endsWith('.js')));
    for (const map of maps) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, map), 'utf8'));
      const missing = sources.map((source: string) => relative(folder, resolve(folder, dirname(map), source)));
      expect(missing.filter((source: string) => !files.includes(source))).toEqual([]);
      expect(sourcesContent).toBeUndefined();
    }
  });

  it('depends on versions, not on this workspace', () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\^?\d/);
  });
});
