import { type ClusterAccess, kubectl } from './cluster.ts';

/** Returns a kubeconfig with a token of a ServiceAccount, as JSON. */
export async function accountKubeconfig(
  cluster: ClusterAccess,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<string> {
  const config = JSON.parse(await kubectl(cluster, ['config', 'view', '--raw', '--minify', '-o', 'json']));
  const token = (await kubectl(cluster, ['create', 'token', name, '-n', namespace])).trim();
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: config.clusters[0].cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: 'cluster', user: name } }],
    'current-context': name,
  });
}
