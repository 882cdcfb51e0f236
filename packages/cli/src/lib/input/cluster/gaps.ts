import { groupedBy } from '@policy-machinery/resource/inner';
import { firstOf } from '../../model/first-of.ts';
import type { Gap, ServedKind } from '../../model/served-kind.ts';
import { UsageError } from '../../model/usage-error.ts';

/**
 * Returns which kinds are read in part or not at all.
 *
 * @returns One sentence for the kinds that are read in the same namespaces, with the names of their resources as kubectl writes these.
 */
export function describeGaps(gaps: readonly Gap[]): readonly string[] {
  const groups = groupedBy(gaps, ({ namespaces }) => placeOf(namespaces));
  return [...groups].map(([where, some]) => `${where}: ${some.map(({ kind }) => resourceOf(kind)).join(', ')}`);
}

function placeOf(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return 'may not be read';
  const names = firstOf([...namespaces].sort(), 5);
  return `read only in the namespace${namespaces.length === 1 ? '' : 's'} ${names}`;
}

/** Returns the name of a kind in roles: `httproutes.gateway.networking.k8s.io`. */
export function resourceOf({ resource, group }: ServedKind): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/**
 * Returns the error for a reading where nothing can be found: the API server forbids to read all kinds that policies are about.
 *
 * @param kinds The kinds that were to be read.
 * @param namespace The namespace that is meant where none is named.
 * @returns An error that says which rights to ask for.
 */
export function nothingReadable(kinds: readonly ServedKind[], namespace: string): UsageError {
  const resources = kinds.map(resourceOf).join(',');
  return new UsageError(
    [
      `the API server forbids you to list policies, Gateways and routes, in all namespaces and in ${namespace}`,
      'Ask an administrator to bind you to a role such as the one that this command makes:',
      `  kubectl create clusterrole gwpolicy --verb=list,watch --resource=${resources}`,
      'If you have such a role in another namespace, name the namespace with -n. To read files instead of a cluster, use -f.',
    ].join('\n'),
  );
}
