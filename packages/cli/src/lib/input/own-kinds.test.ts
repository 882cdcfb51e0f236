import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importFault } from './own-kinds.ts';

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

describe('a module of policy kinds that cannot be imported', () => {
  it('is reported with what to do if this Node imports no TypeScript', () => {
    expect(importFault(thrownByNode('./own-kinds.ts'))).toBe(
      `Node ${process.versions.node} imports no TypeScript; install tsx and set NODE_OPTIONS="--import tsx", or use Node 22.18 or later`,
    );
  });

  it('is reported with the error of Node otherwise', () => {
    expect(importFault(thrownByNode('./nothing.mjs'))).toContain('Cannot find module');
  });
});
