import { formatGroupKind, isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import type { RequiredKind } from '@policy-machinery/topology';

/** Asks the API server for a path. */
export type Request = (path: string) => Promise<unknown>;

/** The resources of a kind; or why they are not known. */
export type Listed = { readonly items: readonly KubernetesObject[] } | { readonly missing: string };

/**
 * Lists all resources of a kind.
 *
 * @param kind The kind.
 * @param request Asks the API server; rejects with an error that has the HTTP `status`, as Headlamp's does.
 * @returns The resources; none if the API server does not know the kind. If they may not be read, why.
 */
export async function listAll({ group, kind, plural, versions }: RequiredKind, request: Request): Promise<Listed> {
  for (const version of versions) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    try {
      const list = await request(`/${group === '' ? 'api' : 'apis'}/${apiVersion}/${plural}`);
      const items = objectsIn(isJsonObject(list) ? list.items : undefined);
      // API servers leave out of items what the list says itself.
      return { items: items.map((item) => ({ ...item, apiVersion, kind }) as unknown as KubernetesObject) };
    } catch (error) {
      if (statusOf(error) === 404) continue; // This version does not exist; maybe the next one does.
      const why = error instanceof Error ? error.message : String(error);
      return { missing: `${formatGroupKind({ group, kind })} cannot be read: ${why}` };
    }
  }
  return { items: [] };
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
}
