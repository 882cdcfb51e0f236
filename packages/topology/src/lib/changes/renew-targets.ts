import { type Issue, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { readSafely } from '../model/read-safely.ts';
import type { SectionKind, TargetKind } from '../model/target-kind.ts';
import { nameSections, type PlacedSection } from '../targets/sections.ts';
import { SectionTarget, type Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress, ResourceChange } from './change-in-progress.ts';
import { leavesFieldsUnread, readFields } from './field-issues.ts';
import { inLocatorOrder } from './in-locator-order.ts';
import type { TopologyState } from './topology-state.ts';

/** Adds, changes and removes the targets of resources, and their sections. */
export function renewTargets(state: TopologyState, change: ChangeInProgress): void {
  if (leavesFieldsUnread(state, change)) state.areFieldsUnread = true;
  for (const resource of inLocatorOrder(change.resources.values())) {
    if (resource.known.target !== undefined) renewTarget(state, resource, resource.known.target, change);
  }
}

function renewTarget(state: TopologyState, resource: ResourceChange, kind: TargetKind, change: ChangeInProgress): void {
  const { was, now, known } = resource;
  const there = was && state.namespaces.find(kind, namespaceIn(kind, was), was.metadata.name);
  if (there !== undefined && was !== undefined) state.selections.remove(there, was);
  if (now === undefined) {
    if (there !== undefined) removeObject(state, there, change);
    return;
  }
  const object = there ?? newObject(state, resource.locator, kind, now, change);
  object.resource = now;
  state.selections.add(object);
  if (!state.areFieldsUnread) change.report(readFields(state, object));
  if (known.sections.length > 0) renewSections(state, object, known.sections, change);
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
  state: TopologyState,
  locator: string,
  kind: TargetKind,
  resource: KubernetesObject,
  change: ChangeInProgress,
): WholeTarget {
  const entry = state.namespaces.entry(namespaceIn(kind, resource));
  const object = new WholeTarget(locator, kind, resource, entry, change.version);
  state.namespaces.add(object);
  state.size += 1;
  change.came.push(object);
  setNamespace(state, object, object, change);
  return object;
}

function removeObject(state: TopologyState, object: WholeTarget, change: ChangeInProgress): void {
  for (const section of object.sections) remove(state, section, change);
  remove(state, object, change);
  state.issues.set('fields', object, []);
  state.namespaces.remove(object);
  setNamespace(state, object, undefined, change);
}

function remove(state: TopologyState, target: Target, change: ChangeInProgress): void {
  state.size -= 1;
  state.untargetable.delete(target);
  state.issues.set('sections', target, []);
  change.stale.add(target); // Its references are gone.
  change.gone.add(target);
  change.changed.delete(target);
}

/** Sets a target as the Namespace of its members, if the target is a Namespace. */
function setNamespace(
  { namespaces, kinds }: TopologyState,
  { kind, resource }: WholeTarget,
  namespace: WholeTarget | undefined,
  change: ChangeInProgress,
): void {
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

function renewSections(
  state: TopologyState,
  object: WholeTarget,
  kinds: readonly SectionKind[],
  change: ChangeInProgress,
): void {
  const issues: Issue[] = [];
  const placed = readSafely(object.locator, issues, () => nameSections(kinds, object, issues));
  object.sections =
    object.sections.length === 0
      ? placed.map((it) => newSection(state, object, it, change))
      : changedSections(state, object, placed, change);
  change.report(state.issues.set('sections', object, issues));
}

function changedSections(
  state: TopologyState,
  object: WholeTarget,
  placed: readonly PlacedSection[],
  change: ChangeInProgress,
): readonly SectionTarget[] {
  const before = new Map(object.sections.map((section) => [section.section.name, section]));
  const sections = placed.map((it) => {
    const known = before.get(it.name);
    if (known?.kind !== it.kind) return newSection(state, object, it, change); // A section of another kind is another section.
    before.delete(it.name);
    return changedSection(state, known, it);
  });
  for (const section of before.values()) remove(state, section, change);
  return sections;
}

function newSection(
  state: TopologyState,
  object: WholeTarget,
  { kind, name, index, value, targetable }: PlacedSection,
  change: ChangeInProgress,
): SectionTarget {
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
