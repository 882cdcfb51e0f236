import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { commands, output, program, writeFilesTo } from '../getting-started.ts';

const packageName = /^(?:@[^/]+\/)?[^/]+/;
const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-getting-started-'));

/** The packages that the program is said to need. */
const [, installed = ''] = /^npm install (.*)$/m.exec(commands) ?? [];

/** The commands of the page, with tarballs in place of the packages. */
const commandsWithTarballs = commands.replace('policy-machinery', Object.values(inject('tarballs')).join(' '));

beforeAll(() => {
  execFileSync('bash', ['-ec', commandsWithTarballs], { cwd: folder, stdio: 'pipe' });
  writeFilesTo(folder);
});

describe('the steps of getting started, in an empty folder', () => {
  it('installs the imports of the program', () => {
    const imported = [...program.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from.match(packageName)?.[0]);
    expect(new Set(installed.split(' '))).toEqual(new Set(imported));
  });

  it('has a program with the right types', () => {
    const tsc = join(folder, 'node_modules/.bin/tsc');
    expect(String(execFileSync(tsc, { cwd: folder, stdio: 'pipe' }))).toBe('');
  });

  it('sees the output on the page', () => {
    const tsx = join(folder, 'node_modules/.bin/tsx');
    expect(String(execFileSync(tsx, ['main.ts'], { cwd: folder, stdio: 'pipe' }))).toBe(output);
  });
});
