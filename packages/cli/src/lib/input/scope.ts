import type { Environment } from '../model/environment.ts';
import { connectionFlags, longSpellingOf, type Options } from '../model/flags.ts';
import { UsageError } from '../model/usage-error.ts';

/**
 * Returns the arguments of kubectl that choose the cluster.
 *
 * @returns The arguments, which come before those of a kubectl command.
 */
export function kubectlArgs(options: Options): readonly string[] {
  return connectionFlags.flatMap((name) =>
    [options[name] ?? []].flat().flatMap((value) => [longSpellingOf(name), value]),
  );
}

/** The longest name of a namespace, and its characters (RFC 1123). */
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Checks the namespace of `-n`, which becomes part of paths and arguments.
 *
 * @throws {UsageError} If it is not a name of a namespace.
 */
export function checkNamespace({ namespace }: Pick<Options, 'namespace'>): void {
  if (namespace === undefined || label.test(namespace)) return;
  throw new UsageError(
    `--namespace ${namespace} is not the name of a namespace: lower case letters, digits and -, at most 63`,
  );
}

/**
 * Returns the default namespace of a cluster.
 *
 * @param environment Runs kubectl.
 * @returns The namespace of `-n`; without it, the namespace of the kubeconfig's context; without one, `default`.
 */
export async function clusterNamespace(options: Options, { kubectl }: Pick<Environment, 'kubectl'>): Promise<string> {
  if (options.namespace !== undefined) return options.namespace;
  const view = ['config', 'view', '--minify', '--output', 'jsonpath={..namespace}'];
  // Without a kubeconfig, a context is missing too, and the connection reports the fault.
  const namespace = await kubectl([...kubectlArgs(options), ...view]).catch(() => '');
  return namespace.trim() || 'default';
}
