import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../model/usage-error.ts';
import { runKubectl } from './run-kubectl.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Runs kubectl where the PATH has only what this script does; nothing without a script. */
function run(script: string | undefined, ...args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
  if (script !== undefined) {
    writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'kubectl'), 0o755);
  }
  vi.stubEnv('PATH', folder);
  return runKubectl(args, new AbortController().signal);
}

describe.skipIf(process.platform === 'win32')('runKubectl', () => {
  it('returns the output of kubectl', async () => {
    expect(await run('echo "$@"', 'get', 'pods')).toBe('get pods\n');
  });

  it.each<[string, string | undefined, string | RegExp]>([
    ['its message', 'echo "error: no context" >&2; exit 1', 'kubectl get fails: error: no context'],
    ['how it ended, if it is silent', 'exit 3', /^kubectl get fails: Error: Command failed: kubectl get pods/],
    ['what to install, if there is none', undefined, 'kubectl is not in the PATH; install kubectl'],
  ])('fails with %s', async (_what, script, message) => {
    const error = await run(script, 'get', 'pods').catch((it: unknown) => it);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toHaveProperty('message', typeof message === 'string' ? message : expect.stringMatching(message));
  });
});
