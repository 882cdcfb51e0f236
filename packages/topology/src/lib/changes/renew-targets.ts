import { type Issue, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { hasSameContent } from '@policy-machinery/resource/inner';
import { readSafely } from '../model/read-safely.ts';
import type { NamedSection } from '../model/reference.ts';
import type { SectionKind, TargetKind } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';
import { Named } from '../targets/named.ts';
import { nameSections } from '../targets/sections.ts';
import { SectionTarget, type Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress, ResourceChange } from './change-in-progress.ts';
import { fieldIssues, leavesFieldsUnread } from './field-issues.ts';
import { renewMembers, renewMemberships } from './renew-memberships.ts';

/** Adds, changes and removes the targets of resources, and their sections. */
export function renewTargets(change: ChangeInProgress): void {
  const { state } = change;
  if (leavesFieldsUnread(state, change)) state.areFieldsUnread = true;
  for (const resource of inLocatorOrder(change.resources.values())) {
    if (resource.kind.target !== undefined) renewTarget(change, resource, resource.kind.target);
  }
}

function renewTarget(change: ChangeInProgress, resource: ResourceChange, kind: TargetKind): void {
  const { state } = change;
  const { previous, current } = resource;
  const existingObject = previous && state.namespaces.find(kind, namespaceIn(kind, previous), previous.metadata.name);
  if (existingObject !== undefined && previous !== undefined) state.selections.remove(existingObject, previous);
  if (current === undefined) {
    if (existingObject !== undefined) removeObject(change, existingObject);
    return;
  }
  const object = existingObject ?? newObject(change, resource.locator, kind, current);
  object.resource = current;
  state.selections.add(object);
  renewMemberships(change, object);
  if (!state.areFieldsUnread) change.setIssues('fields', object, fieldIssues(object));
  if (resource.kind.sections.length > 0) renewSections(change, object, resource.kind.sections);
  if (existingObject === undefined) return;
  change.edited.add(object);
  if (!hasSameContent(current, previous)) change.rewritten.add(object);
  markChanged(object, change);
  for (const section of object.sections) markChanged(section, change);
}

function namespaceIn(kind: TargetKind, resource: KubernetesObject): string | undefined {
  return kind.scope === 'Cluster' ? undefined : namespaceOf(resource);
}

function markChanged(target: Target, change: ChangeInProgress): void {
  if (change.isNew(target)) return; // An existing object can have new sections.
  change.stale.add(target);
  change.changed.add(target);
}

function newObject(
  change: ChangeInProgress,
  locator: string,
  kind: TargetKind,
  resource: KubernetesObject,
): WholeTarget {
  const { state } = change;
  const entry = state.namespaces.entry(namespaceIn(kind, resource));
  const object = new WholeTarget(locator, kind, resource, entry, change.version);
  state.namespaces.add(object);
  state.size += 1;
  change.came.push(object);
  setContainer(change, object, [object]);
  return object;
}

function removeObject(change: ChangeInProgress, object: WholeTarget): void {
  const { state } = change;
  for (const section of object.sections) remove(change, section);
  remove(change, object);
  state.issues.set('fields', object, []);
  state.namespaces.remove(object);
  setContainer(change, object, none);
  renewMemberships(change, object, true);
}

function remove(change: ChangeInProgress, target: Target): void {
  const { state } = change;
  state.size -= 1;
  state.untargetable.delete(target);
  state.issues.set('sections', target, []);
  change.stale.add(target); // Its references are gone.
  change.gone.add(target);
  change.changed.delete(target);
}

/** Sets a target as the Namespace of its members, if the target is a Namespace, and renews the members of any container. */
function setContainer(change: ChangeInProgress, container: WholeTarget, held: readonly WholeTarget[]): void {
  const { namespaces, kinds } = change.state;
  if (container.kind === kinds.namespace) namespaces.entry(container.resource.metadata.name).containers = held;
  else if (container.kind.memberOf === undefined) return;
  renewMembers(change, container);
  if (container.kind === kinds.namespace) namespaces.forgetEmpty(namespaces.entry(container.resource.metadata.name));
}

/** Renews the sections of a resource. A section that keeps its name and kind is the same target. */
function renewSections(change: ChangeInProgress, object: WholeTarget, kinds: readonly SectionKind[]): void {
  const { untargetable } = change.state;
  const issues: Issue[] = [];
  const placed = readSafely(object.locator, issues, () => nameSections(kinds, object, issues));
  const { sections } = object;
  const unlisted = sections.length === 0 ? undefined : new Map(sections.map((it) => [it.section.name, it]));
  object.sections = placed.map(({ kind, name, index, value, targetable }) => {
    const oldSection = unlisted?.get(name);
    const section = oldSection?.kind === kind ? oldSection : newSection(change, object, kind, { name, value }, index);
    if (section === oldSection) {
      unlisted?.delete(name);
      section.section = { name, value };
      section.index = index;
    }
    if (targetable) untargetable.delete(section);
    else untargetable.add(section);
    return section;
  });
  for (const section of unlisted?.values() ?? []) remove(change, section);
  change.setIssues('sections', object, issues);
}

function newSection(
  change: ChangeInProgress,
  object: WholeTarget,
  kind: SectionKind,
  named: NamedSection,
  index: number,
): SectionTarget {
  const section = new SectionTarget(object, kind, named, index, change.version);
  change.state.size += 1;
  change.came.push(section);
  return section;
}

/**
 * Returns changes in the order of their locators. Targets created in this order go to the end of each sorted list, and lie side by side in memory
 * as paths visit them. Resources of one namespace and kind are compared by name, because locators are long and begin alike.
 */
function* inLocatorOrder(changes: Iterable<ResourceChange>): Iterable<ResourceChange> {
  const groups = new Map<string, Named<ResourceChange>>();
  for (const change of changes) {
    const { locator, previous, current = previous } = change;
    const { name } = (current as KubernetesObject).metadata;
    const beginning = locator.slice(0, locator.length - name.length);
    getOrInsert(groups, beginning, () => new Named<ResourceChange>()).set(name, change);
  }
  for (const beginning of [...groups.keys()].sort()) yield* groups.get(beginning)?.inOrder ?? [];
}
