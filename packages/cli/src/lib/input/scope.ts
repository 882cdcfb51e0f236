import type { Environment } from '../frame/environment.ts';
import type { Options } from '../frame/flags.ts';

/**
 * Returns the arguments of kubectl that choose the cluster.
 *
 * @param options The options of the command.
 * @returns The arguments, which come before those of a kubectl command.
 */
export function kubectlArgs({ context, kubeconfig, as, asGroup = [] }: Options): readonly string[] {
  const flags = [
    ['--context', context],
    ['--kubeconfig', kubeconfig],
    ['--as', as],
    ...asGroup.map((group) => ['--as-group', group] as const),
  ] as const;
  return flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
}

/**
 * Returns the default namespace of a cluster.
 *
 * @param options The options of the command.
 * @param environment Runs kubectl.
 * @returns The namespace of `-n`; without it, that of the kubeconfig's context; without one, `default`.
 */
export async function clusterNamespace(options: Options, { kubectl }: Pick<Environment, 'kubectl'>): Promise<string> {
  if (options.namespace !== undefined) return options.namespace;
  const view = ['config', 'view', '--minify', '--output', 'jsonpath={..namespace}'];
  // Without a kubeconfig there is no context, and the connection says what is wrong.
  const namespace = await kubectl([...kubectlArgs(options), ...view]).catch(() => '');
  return namespace.trim() || 'default';
}
