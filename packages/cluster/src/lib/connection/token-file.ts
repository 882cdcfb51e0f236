import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isJsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import { readIfExists } from './open-files.ts';

/**
 * Returns the path of a user's `tokenFile`, which `@kubernetes/client-node` does not read; `undefined` if the user has none. As for kubectl,
 * the first file that names the user counts, and a relative path begins at that file's folder.
 *
 * @param user The name of the user.
 * @param kubeconfig The path of the kubeconfig. Default: `KUBECONFIG`, or without that `~/.kube/config`.
 */
export async function tokenFileOf(user: string, kubeconfig: string | undefined): Promise<string | undefined> {
  const { parse } = await import('yaml');
  for (const file of kubeconfig === undefined ? defaultFiles() : [kubeconfig]) {
    const config: unknown = parse(await readIfExists(file));
    const entry = objectsIn(isJsonObject(config) ? config.users : undefined).find(({ name }) => name === user);
    if (entry === undefined) continue;
    const path = isJsonObject(entry.user) ? stringIn(entry.user.tokenFile) : undefined;
    return path === undefined ? undefined : resolve(dirname(file), path);
  }
  return undefined;
}

function defaultFiles(): readonly string[] {
  const files = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  return files.length > 0 ? files : [join(homedir(), '.kube', 'config')];
}
