import { type Issue, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { readSafely } from '../model/read-safely.ts';
import type { SectionKind, TargetKind } from '../model/target-kind.ts';
import { nameSections, type PlacedSection } from '../targets/sections.ts';
import { SectionTarget, type Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress, ResourceChange } from './change-in-progress.ts';
import { fieldIssues, leavesFieldsUnread } from './field-issues.ts';
import { inLocatorOrder } from './in-locator-order.ts';
import type { TopologyState } from './topology-state.ts';

/** Adds, changes and removes the targets of resources, and their sections. */
export function renewTargets(change: ChangeInProgress): void {
  const { state } = change;
  if (leavesFieldsUnread(state, change)) state.areFieldsUnread = true;
  for (const resource of inLocatorOrder(change.resources.values())) {
    if (resource.known.target !== undefined) renewTarget(change, resource, resource.known.target);
  }
}

function renewTarget(change: ChangeInProgress, resource: ResourceChange, kind: TargetKind): void {
  const { state } = change;
  const { was, now, known } = resource;
  const there = was && state.namespaces.find(kind, namespaceIn(kind, was), was.metadata.name);
  if (there !== undefined && was !== undefined) state.selections.remove(there, was);
  if (now === undefined) {
    if (there !== undefined) removeObject(change, there);
    return;
  }
  const object = there ?? newObject(change, resource.locator, kind, now);
  object.resource = now;
  state.selections.add(object);
  if (!state.areFieldsUnread) change.setIssues('fields', object, fieldIssues(object));
  if (known.sections.length > 0) renewSections(change, object, known.sections);
  if (there === undefined) return;
  change.edited.add(object);
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
  setNamespace(change, object, object);
  return object;
}

function removeObject(change: ChangeInProgress, object: WholeTarget): void {
  const { state } = change;
  for (const section of object.sections) remove(change, section);
  remove(change, object);
  state.issues.set('fields', object, []);
  state.namespaces.remove(object);
  setNamespace(change, object, undefined);
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

/** Sets a target as the Namespace of its members, if the target is a Namespace. */
function setNamespace(
  change: ChangeInProgress,
  { kind, resource }: WholeTarget,
  namespace: WholeTarget | undefined,
): void {
  const { namespaces, kinds } = change.state;
  if (kind !== kinds.namespace) return;
  const { name } = resource.metadata;
  const entry = namespaces.entry(name);
  entry.namespace = namespace;
  for (const member of namespaces.membersOf(name)) {
    for (const target of [member, ...member.sections]) {
      if (change.isNew(target)) continue;
      change.changed.add(target);
      change.entered.add(target);
    }
  }
  namespaces.forgetEmpty(entry);
}

function renewSections(change: ChangeInProgress, object: WholeTarget, kinds: readonly SectionKind[]): void {
  const issues: Issue[] = [];
  const placed = readSafely(object.locator, issues, () => nameSections(kinds, object, issues));
  object.sections =
    object.sections.length === 0
      ? placed.map((it) => newSection(change, object, it))
      : changedSections(change, object, placed);
  change.setIssues('sections', object, issues);
}

function changedSections(
  change: ChangeInProgress,
  object: WholeTarget,
  placed: readonly PlacedSection[],
): readonly SectionTarget[] {
  const before = new Map(object.sections.map((section) => [section.section.name, section]));
  const sections = placed.map((it) => {
    const known = before.get(it.name);
    if (known?.kind !== it.kind) return newSection(change, object, it); // A section of another kind is another section.
    before.delete(it.name);
    return changedSection(change.state, known, it);
  });
  for (const section of before.values()) remove(change, section);
  return sections;
}

function newSection(
  change: ChangeInProgress,
  object: WholeTarget,
  { kind, name, index, value, targetable }: PlacedSection,
): SectionTarget {
  const { state } = change;
  const section = new SectionTarget(object, kind, { name, value }, index, change.version);
  state.size += 1;
  if (!targetable) state.untargetable.add(section);
  change.came.push(section);
  return section;
}

function changedSection(
  state: TopologyState,
  section: SectionTarget,
  { name, index, value, targetable }: PlacedSection,
): SectionTarget {
  section.section = { name, value };
  section.index = index;
  if (targetable) state.untargetable.delete(section);
  else state.untargetable.add(section);
  return section;
}
