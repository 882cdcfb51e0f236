import { ancestorKey } from '@policy-machinery/conditions';
import { type JsonObject, refOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/**
 * Whether a parent reference of a route leads to one of the targets from which paths come. A reference without a section or a port
 * leads to all sections of the parent.
 *
 * @param parentRef The reference.
 * @param namespace The namespace of the route.
 * @param parents The targets; none where paths begin at the route, which says nothing of its references.
 */
export function leadsTo(parentRef: JsonObject, namespace: string, parents: ReadonlySet<TargetNode>): boolean {
  if (parents.size === 0) return true;
  const { sectionName, port, ...whole } = parentRef;
  const key = ancestorKey(whole, namespace)?.text;
  return [...parents].some(({ object, section }) => {
    if (ancestorKey(object.ref, '')?.text !== key) return false;
    const isOther = (asked: unknown, has: unknown) => asked !== undefined && asked !== null && asked !== has;
    if (section === undefined) return true;
    return !isOther(sectionName, section.name) && !isOther(port, section.value.port);
  });
}

/** The namespace that references of an object mean if they name none. */
export function namespaceOfNode({ resource, kind }: TargetNode): string {
  return 'of' in kind ? '' : (refOf(resource, kind.scope).namespace ?? '');
}
