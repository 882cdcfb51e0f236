import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts gwpolicy in a folder with files; the executable ones are before the PATH. */
function start(args: readonly string[], files: Readonly<Record<string, string>>): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-signals-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    if (text.startsWith('#!')) chmodSync(join(folder, name), 0o755);
  }
  const program = ['--conditions=@policy-machinery/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...program, join(root, 'packages/cli/src/gwpolicy.ts'), ...args], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

/** Waits for a line on standard error. */
async function said(child: ChildProcess, line: string): Promise<void> {
  let text = '';
  for await (const chunk of child.stderr ?? []) {
    text += String(chunk);
    if (text.includes(line)) return;
  }
  throw new Error(`the program ended, and said: ${text}`);
}

function ended(child: ChildProcess): Promise<unknown[]> {
  child.stdout?.resume();
  child.stderr?.resume();
  return once(child, 'exit');
}

/** A kubectl that does not end while its parent runs, and sends its parent signals. */
const kubectl = (onTerm: string) => `#!/usr/bin/env node
const parent = process.ppid;
process.on('SIGTERM', () => ${onTerm});
process.kill(parent, 'SIGINT');
setInterval(() => process.ppid === parent || process.exit(), 10);
`;

describe.skipIf(process.platform === 'win32')('gwpolicy', () => {
  it('reads the output of kubectl kustomize', async () => {
    const object = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'cart' } };
    const child = start(['get', 'httproutes', '-A', '-k', '.', '-o', 'name'], {
      kubectl: `#!/bin/sh\necho '${JSON.stringify(object)}'\n`,
    });
    const chunks: string[] = [];
    for await (const chunk of child.stdout ?? []) chunks.push(String(chunk));
    expect(chunks.join('')).toBe('httproute.gateway.networking.k8s.io/cart\n');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends at %s within a computation without an end', async (signal) => {
    const files = { 'a.yaml': '', 'kinds.mjs': 'process.stderr.write("computes\\n");\nfor (;;);\n' };
    const child = start(['lint', '-f', 'a.yaml', '--kinds', 'kinds.mjs'], files);
    await said(child, 'computes');
    child.kill(signal);
    expect(await ended(child)).toEqual([null, signal]);
  });

  it('ends kubectl at the first signal, with the exit code of the signal', async () => {
    const child = start(['get', '-A'], { kubectl: kubectl('process.exit(1)') });
    expect(await ended(child)).toEqual([130, null]);
  });

  it('ends at the second signal, even if kubectl does not end', async () => {
    const child = start(['get', '-A'], { kubectl: kubectl(`process.kill(parent, 'SIGTERM')`) });
    expect(await ended(child)).toEqual([null, 'SIGTERM']);
  });
});
