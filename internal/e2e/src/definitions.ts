import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterAccess, kubectl } from './cluster.ts';
import { runProgram } from './processes.ts';

/** CustomResourceDefinitions in a Go module. */
export interface ModuleFolder {
  /** The module with its version. */
  readonly module: string;
  /** The folder of the definitions in the module. */
  readonly folder: string;
  /** Which files of the folder are meant. */
  readonly files: RegExp;
}

/** Installs the CustomResourceDefinitions that a Go module carries. */
export async function installDefinitions(
  cluster: ClusterAccess,
  { module, folder, files }: ModuleFolder,
): Promise<void> {
  const { Dir: root } = JSON.parse(await runProgram('go', ['mod', 'download', '-json', module]));
  const names = readdirSync(join(root, folder)).filter((name) => files.test(name));
  if (names.length === 0) throw new Error(`${module} has no definitions in ${folder}; correct the folder`);
  const definitions = names.map((name) => readFileSync(join(root, folder, name), 'utf8')).join('\n---\n');
  await kubectl(cluster, ['apply', '--server-side', '-f', '-'], definitions);
}
