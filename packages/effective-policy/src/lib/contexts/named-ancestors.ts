import type { KubernetesObject } from '@policy-machinery/resource';
import { isSectionKind, type Reference, type TargetKind, type TargetNode } from '@policy-machinery/topology';
import { meansSection } from '@policy-machinery/topology/inner';

/** The target or object that a reference names. */
interface Named extends Pick<Reference, 'to'> {
  readonly toSections: Reference['toSections'] | undefined;
}

/** The parents that the references of each resource name, read once. There are many: the rest of the references is not kept. */
const namesOf = new WeakMap<KubernetesObject, readonly Named[]>();

/**
 * Returns the targets that a child names for a linked parent.
 *
 * @param parent The target that the link starts from: an object or a section.
 * @param child The target that the link leads to.
 * @returns The section if a reference of the child names it; the object if a reference names the object, or none names either; both if there
 * are two such references. O(references of the child).
 */
export function namedParents(parent: TargetNode, child: TargetNode): readonly TargetNode[] {
  const { object, section } = parent;
  if (section === undefined) return [object];
  const { group, kind, namespace, name } = object.ref;
  const named: TargetNode[] = [];
  for (const { to, toSections } of upReferencesOf(child.object)) {
    if (!('name' in to) || to.name !== name || to.kind !== kind || to.group !== group) continue;
    if (namespace !== undefined && (to.namespace ?? child.ref.namespace) !== namespace) continue;
    if (!meansSection(toSections, section)) continue;
    const parentMeant = typeof toSections === 'function' || toSections?.name !== undefined ? parent : object;
    if (!named.includes(parentMeant)) named.push(parentMeant);
  }
  return named.length === 0 ? [object] : named;
}

/** Returns whether a target refers to its parents, so that an edit of the target may change how it names them. */
export function namesParents({ object }: TargetNode): boolean {
  return upReferencesOf(object).length > 0;
}

function upReferencesOf({ kind, resource }: TargetNode): readonly Named[] {
  const knownNames = namesOf.get(resource);
  if (knownNames !== undefined) return knownNames;
  const references = isSectionKind(kind) ? [] : upReferencesIn(kind, resource);
  namesOf.set(resource, references);
  return references;
}

function upReferencesIn(kind: TargetKind, resource: KubernetesObject): readonly Named[] {
  const up: Named[] = [];
  const addFrom = (references: Iterable<Reference>): void => {
    for (const { direction, to, toSections } of references) if (direction === 'up') up.push({ to, toSections });
  };
  addFrom(kind.references(resource));
  for (const { list, references } of Object.values(kind.sections)) {
    for (const [index, { value }] of list(resource).entries()) addFrom(references({ index, value }, resource));
  }
  return up;
}
