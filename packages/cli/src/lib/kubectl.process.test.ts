import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { kubectlTransport } from '@policy-machinery/cluster';
import { describe, expect, it } from 'vitest';
import { runOn, startCluster } from './cluster.fixture.ts';
import { cluster, runWith } from './run.fixture.ts';

describe.skipIf(process.platform === 'win32')('kubectl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-kubectl-'));

  it('receives the flags that choose the cluster with every request', async () => {
    const server = await startCluster();
    const { url, close } = await server.listen();
    const script = `#!${process.execPath}
      const at = process.argv.indexOf('--raw');
      if (process.argv[process.argv.indexOf('--context') + 1] !== 'staging') process.exit(1);
      fetch(${JSON.stringify(url)} + process.argv[at + 1]).then(async (response) => {
        if (response.ok) return process.stdout.write(await response.text());
        const { reason, message } = await response.json();
        process.stderr.write('Error from server (' + reason + '): ' + message);
        process.exitCode = 1;
      });`;
    writeFileSync(join(folder, 'kubectl'), script);
    chmodSync(join(folder, 'kubectl'), 0o755);
    server.forbid('list authpolicies');
    const path = process.env.PATH;
    process.env.PATH = `${folder}${delimiter}${path}`;
    try {
      const transport = kubectlTransport({ args: ['--context', 'staging'] });
      const { stdout, stderr } = await runOn(server, ['get', '-A', '-o', 'name'], { transport });
      const all = (await runWith(['get', '-o', 'name', '-f', cluster])).stdout.split('\n');
      expect(stdout.split('\n')).toEqual(all.filter((name) => !name.startsWith('authpolicy')));
      expect(stderr).toContain('you may not read authpolicies.kuadrant.io');
    } finally {
      process.env.PATH = path;
      await close();
    }
  });
});
