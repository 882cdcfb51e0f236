import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { namingOpenFiles, readIfExists } from './open-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const failure = (code: string, cause?: unknown) =>
  Object.assign(new Error(`${code}: cannot open x`, { cause }), { code });

describe('a failure while files are opened', () => {
  it.each([
    [
      'EMFILE',
      'EMFILE: cannot open x; this process has too many open files and connections: raise its limit (ulimit -n)',
    ],
    [
      'ENFILE',
      'ENFILE: cannot open x; this machine has too many open files and connections: raise its limit (sysctl fs.file-max)',
    ],
  ])('names the fault and the remedy if its cause is %s', async (code, message) => {
    for (const error of [failure(code), failure('no-client-node', failure(code))]) {
      const work = namingOpenFiles(() => Promise.reject(error));
      await expect(work).rejects.toMatchObject({ code: 'too-many-open-files', message, cause: error });
    }
  });

  it('is handed on otherwise, also if it is its own cause', async () => {
    const error = failure('EACCES');
    error.cause = error;
    await expect(namingOpenFiles(() => Promise.reject(error))).rejects.toBe(error);
  });
});

describe('a file that may be absent', () => {
  it('is empty if it is, and fails if it cannot be read', async () => {
    expect(await readIfExists(join(folder, 'absent'))).toBe('');
    await expect(readIfExists(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

/** A program that opens all files that it may but some, and prints the code and the message of the failure of its work. */
const program = (work: string, spare: number) => `
import { closeSync, openSync } from 'node:fs';
import { connectByKubeconfig } from ${path('./kubeconfig.ts')};
import { namingOpenFiles } from ${path('./open-files.ts')};
import { connectInCluster } from ${path('./in-cluster.ts')};
import { kubectlTransport } from ${path('./kubectl-transport.ts')};
import { httpTransport } from ${path('../transport/http-transport.ts')};
const request = { method: 'GET', path: '/api' };
const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };
const folder = ${JSON.stringify(folder)};
const opened = [];
try {
  for (;;) opened.push(openSync('/dev/null'));
} catch {}
for (const each of opened.splice(0, ${spare})) closeSync(each);
const { code, message } = await (${work}).catch((error) => error);
for (const each of opened) closeSync(each);
console.log(code, message);
`;

function path(file: string): string {
  return JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
}

describe.skipIf(process.platform === 'win32')('too many open files', () => {
  const flags = ['--conditions=@policy-machinery/source', '--import', import.meta.resolve('tsx')];

  it.each([
    ['client-node is looked for', 'connectByKubeconfig({ kubeconfig: folder + "/config" })', 0],
    ['client-node is loaded', 'connectByKubeconfig({ kubeconfig: folder + "/config" })', 3],
    ['a package was not loaded completely', 'namingOpenFiles(() => import("not-installed"))', 8],
    ['a service account is read', 'connectInCluster({ env, folder })', 0],
    ['a connection is opened', 'httpTransport({ server: "http://127.0.0.1:1" }).request(request)', 0],
    ['kubectl is started', 'kubectlTransport({ command: "sh" }).request(request)', 0],
    ['kubectl is started with a few files to spare', 'kubectlTransport({ command: "sh" }).request(request)', 3],
  ])('are the fault that is reported when %s', async (_, work, spare) => {
    for (const file of ['token', 'ca.crt', 'namespace']) writeFileSync(join(folder, file), 'x');
    writeFileSync(join(folder, 'program.mts'), program(work, spare));
    const command = 'ulimit -n 256; exec "$@"';
    const args = ['-c', command, 'sh', process.execPath, ...flags, join(folder, 'program.mts')];
    const { stdout } = await promisify(execFile)('sh', args);
    expect(stdout).toMatch(
      /^(too-many-open-files|EMFILE) .*\bEMFILE\b.*; this process has too many open files and connections: raise/,
    );
  });
});
