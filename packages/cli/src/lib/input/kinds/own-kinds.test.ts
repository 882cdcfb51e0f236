import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importFault, readOwnKinds } from './own-kinds.ts';

/** Returns the error that Node throws when it imports a file without the help of vitest. */
function thrownByNode(file: string): Error {
  const url = JSON.stringify(new URL(file, import.meta.url).href);
  const program = `import(${url}).catch(({ message }) => console.log(message))`;
  const withoutTypes = process.allowedNodeEnvironmentFlags.has('--no-experimental-strip-types')
    ? ['--no-experimental-strip-types']
    : [];
  const args = [...withoutTypes, '--input-type=module', '--eval', program];
  return new Error(
    String(execFileSync(process.execPath, args, { env: {}, cwd: fileURLToPath(new URL('.', import.meta.url)) })),
  );
}

describe('a module of policy kinds', () => {
  /** Returns a module with these exports, as a file to read. */
  const exporting = (...values: readonly string[]) => {
    const file = join(mkdtempSync(join(tmpdir(), 'kinds-')), 'kinds.mjs');
    writeFileSync(file, values.map((value, index) => `export const value${index} = ${value};`).join('\n'));
    return file;
  };
  const kind = '{ read() {}, effectiveTargets: [], stanzas: {} }';

  it('may export other things beside, and lists of kinds', async () => {
    const file = exporting(`'retries'`, 'null', kind, '{ read() {} }', '() => 1', `[${kind}, 5]`);
    expect((await readOwnKinds([file])).kinds).toHaveLength(2);
  });

  it('must export one', async () => {
    const file = exporting(`'retries'`, '{ effectiveTargets: [], stanzas: {} }', '{ read() {}, stanzas: {} }');
    await expect(readOwnKinds([file])).rejects.toThrow(
      `--kinds ${file} does not export a policy kind; export the result`,
    );
  });
});

describe('a module of policy kinds that cannot be imported', () => {
  it('is reported with the remedy if this Node imports no TypeScript', () => {
    expect(importFault(thrownByNode('./own-kinds.ts'))).toBe(
      `Node ${process.versions.node} imports no TypeScript; install tsx and set NODE_OPTIONS="--import tsx", or use Node 22.18 or later`,
    );
  });

  it('is reported with the error of Node otherwise', () => {
    expect(importFault(thrownByNode('./nothing.mjs'))).toContain('Cannot find module');
  });
});
