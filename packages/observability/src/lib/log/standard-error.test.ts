import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const logger = fileURLToPath(new URL('./json-logger.ts', import.meta.url));
const program = `
import { jsonLogger } from ${JSON.stringify(logger)};
import { setTimeout } from 'node:timers/promises';
for (let line = 0; line < 3; line += 1) {
  jsonLogger().info('a message');
  await setTimeout(20); // Errors of a stream are reported later.
}
process.stdout.write('still running, ' + process.stderr.listenerCount('error') + ' listener');
`;

/** Runs the program with this standard error. Returns its exit code and its output. */
async function run(standardError: number | 'pipe'): Promise<readonly [code: unknown, output: string]> {
  const flags = ['--conditions=@policy-machinery/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', standardError],
  });
  child.stderr?.destroy();
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, 'close');
  return [code, output];
}

describe.skipIf(process.platform === 'win32')('a log that cannot be written', () => {
  it('because its reader is gone does not end the process', async () => {
    expect(await run('pipe')).toEqual([0, 'still running, 1 listener']);
  });

  it.skipIf(!existsSync('/dev/full'))('because the disk is full does not end the process', async () => {
    const full = openSync('/dev/full', 'w');
    expect(await run(full)).toEqual([0, 'still running, 1 listener']);
    closeSync(full);
  });
});
