import type { KubernetesObject } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { Right } from './rights.ts';

interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';

/**
 * Returns the roles with some rights, each with its binding to a ServiceAccount: a Role in each namespace, and a ClusterRole for the others.
 *
 * @param account The ServiceAccount, which gives the roles their name.
 */
export function rolesOf(
  rights: readonly Right[],
  account: { readonly name: string; readonly namespace: string },
): readonly KubernetesObject[] {
  const byNamespace = groupedBy(rights, ({ namespace }) => namespace ?? '');
  return [...byNamespace]
    .sort(([namespace], [other]) => (namespace < other ? -1 : 1))
    .flatMap(([namespace, some]) => {
      const prefix = namespace === '' ? 'Cluster' : '';
      const metadata = { name: account.name, ...(namespace === '' ? {} : { namespace }) };
      const roleRef = { apiGroup: rbac, kind: `${prefix}Role`, name: account.name };
      return [
        { apiVersion: `${rbac}/v1`, kind: `${prefix}Role`, metadata, rules: rulesOf(some) },
        {
          apiVersion: `${rbac}/v1`,
          kind: `${prefix}RoleBinding`,
          metadata,
          roleRef,
          subjects: [{ kind: 'ServiceAccount', ...account }],
        },
      ];
    });
}

/** Returns few rules: one for all resources of a group that have the same verbs. */
function rulesOf(rights: readonly Right[]): readonly RoleRule[] {
  const byResource = groupedBy(rights, ({ group, resource, names = [] }) => [group, resource, ...names].join('\n'));
  const merged = [...byResource.values()].map((some) => ({
    ...some[0],
    verbs: [...new Set(some.flatMap(({ verbs }) => verbs))].sort(),
  }));
  const byVerbs = groupedBy(merged, ({ group, verbs, names = [] }) => [group, ...verbs, '', ...names].join('\n'));
  return [...byVerbs.values()].map(([first, ...others]) => ({
    apiGroups: [first.group],
    resources: [first, ...others].map(({ resource }) => resource).sort(),
    ...(first.names === undefined ? {} : { resourceNames: first.names }),
    verbs: first.verbs,
  }));
}
