import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documents } from '../docs/markdown.ts';
import { doesNotCompile, readPrograms } from '../docs/programs.ts';
import { root } from '../files.ts';

/** The versions of TypeScript that the documents promise, by their packages here. */
const versions = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6', '7'] as const;
const folderOf = (version: string) => (version === '6' ? 'typescript' : `typescript-${version}`);

/** The folder, ignored by Git, in which programs stand so that they find the packages as they are published. */
const folder = `${root}internal/checks/types/.programs/`;

const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom'],
  strict: true,
  noEmit: true,
  types: ['node'],
};

function writePrograms(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{"type":"module"}\n');
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const forUsers = documents().filter(({ path }) => !path.startsWith('internal/'));
  for (const { name, checked } of forUsers.flatMap((document) => readPrograms(document).programs)) {
    const lines = checked.split('\n').map((line) => (doesNotCompile.test(line) ? '' : line));
    writeFileSync(`${folder}${name.replaceAll(/[/:]/g, '.')}.ts`, lines.join('\n'));
  }
}

/** Returns the type errors of all programs, and of the declarations that they import from here. */
function errorsBy(version: string): readonly string[] {
  const compiler = `${root}internal/checks/node_modules/${folderOf(version)}/bin/tsc`;
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stdout, stderr, error } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], options);
  if (error !== undefined) throw error;
  const lines = [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => line.trim() !== '');
  return lines.filter((line) => !line.startsWith(' ') && !line.includes('node_modules/'));
}

describe.each(versions)('TypeScript %s', (version) => {
  it('compiles all ts blocks of the documents with the published packages', () => {
    writePrograms();
    expect(errorsBy(version)).toEqual([]);
  });
});
