import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { archiveName, executableName, ownPlatform } from './platforms.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Builds the executable for this system, from the sources of `gwpolicy` and the Node that runs this.
 *
 * @param folder The folder to write it to.
 * @returns The path of the executable.
 */
export async function buildExecutable(folder: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'gwpolicy-executable-'));
  try {
    const main = join(work, 'gwpolicy.cjs');
    // What a command needs is compiled with the rest, and run when the command is called.
    await build({
      entryPoints: [join(root, 'packages/cli/src/executable.ts')],
      outfile: main,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      conditions: ['@policy-machinery/source'],
      legalComments: 'none',
      logLevel: 'error',
    });
    mkdirSync(folder, { recursive: true });
    const output = join(folder, executableName(ownPlatform()));
    const settings = join(work, 'sea.json');
    writeFileSync(
      settings,
      JSON.stringify({
        main,
        output,
        mainFormat: 'commonjs',
        useCodeCache: true,
        // Options for Node in the environment or on the command line are not for this program.
        execArgvExtension: 'none',
        disableExperimentalSEAWarning: true,
      }),
    );
    execFileSync(process.execPath, ['--build-sea', settings], { stdio: ['ignore', 'ignore', 'inherit'] });
    // macOS runs nothing that has changed since it was signed.
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', output]);
    return output;
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * Packs an executable, with the licences of all that is in it.
 *
 * @param executable Its path.
 * @param version The version, for the name of the archive.
 * @param nodeLicence The licence of Node. Default: the file that comes with the Node that runs this.
 * @returns The path of the archive, which is in the folder of the executable.
 */
export function packExecutable(executable: string, version: string, nodeLicence = ownLicence()): string {
  const folder = dirname(executable);
  const files = {
    LICENSE: join(root, 'LICENSE'),
    'THIRD-PARTY-LICENSES': join(root, 'packages/cli/dist/THIRD-PARTY-LICENSES'),
    'LICENSE-node': nodeLicence,
  };
  for (const [name, source] of Object.entries(files)) copyFileSync(source, join(folder, name));
  const archive = archiveName(ownPlatform(), version);
  // A relative path, since some programs called tar take `C:` for a host.
  const packed = [executableName(ownPlatform()), ...Object.keys(files)];
  execFileSync('tar', ['-czf', archive, ...packed], { cwd: folder });
  return join(folder, archive);
}

function ownLicence(): string {
  const bin = dirname(process.execPath);
  const found = [join(bin, '../LICENSE'), join(bin, 'LICENSE')].find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${bin} is no Node as it is released: its LICENSE is missing`);
  return found;
}
