import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterAccess, kubectl } from '../cluster.ts';

const namespace = 'chaos';
const name = 'controller';

/** The user that a controller is, for the API server. */
export const accountUser = `system:serviceaccount:${namespace}:${name}`;

const subjects = [{ kind: 'ServiceAccount', name, namespace }];
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const apiGroup = 'rbac.authorization.k8s.io';
const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
const binding = {
  ...rbac,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'chaos' },
  roleRef: { apiGroup, kind: 'ClusterRole', name: 'chaos' },
  subjects,
};
const others = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  {
    ...rbac,
    kind: 'ClusterRole',
    metadata: { name: 'chaos' },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['*'], resources: ['*/status', 'events'], verbs: ['patch', 'create'] },
    ],
  },
  {
    ...rbac,
    kind: 'Role',
    metadata: { name: 'lease', namespace },
    rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] }],
  },
  {
    ...rbac,
    kind: 'RoleBinding',
    metadata: { name: 'lease', namespace },
    roleRef: { apiGroup, kind: 'Role', name: 'lease' },
    subjects,
  },
];

/** The service account of the controllers, whose rights and tokens come and go. */
export class Account {
  readonly #cluster: ClusterAccess;
  readonly #tokenFile: string;
  /** A kubeconfig that asks a program for the token, as those of cloud providers do. */
  readonly kubeconfig: string;

  constructor(cluster: ClusterAccess, folder: string) {
    this.#cluster = cluster;
    this.#tokenFile = join(folder, 'token');
    this.kubeconfig = join(folder, 'controller.kubeconfig');
  }

  /** Creates the account with its rights. */
  async create(): Promise<void> {
    await this.#apply(...others, account, binding);
    const config = JSON.parse(await this.#run('config', 'view', '--raw', '--minify', '-o', 'json'));
    const credential =
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}';
    const script = `printf '${credential}' "$(cat ${this.#tokenFile})"`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', script] };
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'cluster', cluster: config.clusters[0].cluster }],
      users: [{ name, user: { exec: { ...exec, interactiveMode: 'Never' } } }],
      contexts: [{ name, context: { cluster: 'cluster', user: name } }],
      'current-context': name,
    };
    writeFileSync(this.kubeconfig, JSON.stringify(kubeconfig));
    await this.#writeToken();
  }

  /** Takes the rights to read and to write statuses away. The lease can still be kept. */
  async takeRights(): Promise<void> {
    await this.#run('delete', 'clusterrolebinding', binding.metadata.name);
  }

  async giveRights(): Promise<void> {
    await this.#apply(binding);
  }

  /** Makes all tokens invalid, and some time later the program of the kubeconfig has a new one. */
  async rotateToken(meanwhile: () => Promise<void>): Promise<void> {
    await this.#run('delete', 'serviceaccount', name, '-n', namespace);
    await this.#apply(account);
    await meanwhile();
    await this.#writeToken();
  }

  async #writeToken(): Promise<void> {
    writeFileSync(this.#tokenFile, (await this.#run('create', 'token', name, '-n', namespace)).trim());
  }

  #apply(...items: readonly object[]): Promise<string> {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    return kubectl(this.#cluster, ['apply', '--server-side', '-f', '-'], list);
  }

  #run(...args: readonly string[]): Promise<string> {
    return kubectl(this.#cluster, args);
  }
}
