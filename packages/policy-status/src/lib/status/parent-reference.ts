import { ancestorKey } from '@policy-machinery/conditions';
import type { JsonObject } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/**
 * Returns a test of whether a parent reference of a route leads to one of the targets where paths begin. A reference without a section or
 * port leads to all sections of the parent.
 *
 * @param parentRef The reference.
 * @param namespace The namespace of the route.
 * @returns The test of these targets; true without any, because paths then begin at the route.
 */
export function leadsTo(parentRef: JsonObject, namespace: string): (parents: ReadonlySet<TargetNode>) => boolean {
  const { sectionName, port } = parentRef;
  const parts = ancestorKey(parentRef, namespace)?.parts ?? [];
  const isHere = ({ object: { ref }, section }: TargetNode): boolean => {
    const { group, kind, namespace: itsOwn = '', name } = ref;
    if (parts[3] !== name || parts[2] !== itsOwn || parts[1] !== kind || parts[0] !== group) return false;
    return section === undefined || (allows(sectionName, section.name) && allows(port, section.value.port));
  };
  return (parents) => {
    if (parents.size === 0) return true;
    for (const parent of parents) if (isHere(parent)) return true;
    return false;
  };
}

function allows(asked: unknown, has: unknown): boolean {
  return asked === undefined || asked === null || asked === has;
}
