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
export function renewTargets(state: TopologyState, record: ChangeInProgress): void {
  if (leavesFieldsUnread(state, record)) state.areFieldsUnread = true;
  for (const change of inLocatorOrder(record.resources.values())) {
    if (change.known.target !== undefined) renewTarget(state, change, change.known.target, record);
  }
}

function renewTarget(state: TopologyState, change: ResourceChange, kind: TargetKind, record: ChangeInProgress): void {
  const { was, now, known } = change;
  const there = was && state.namespaces.find(kind, namespaceIn(kind, was), was.metadata.name);
  if (there !== undefined && was !== undefined) state.selections.remove(there, was);
  if (now === undefined) {
    if (there !== undefined) removeObject(state, there, record);
    return;
  }
  const object = there ?? newObject(state, change.locator, kind, now, record);
  object.resource = now;
  state.selections.add(object);
  if (!state.areFieldsUnread) record.report(readFields(state, object));
  if (known.sections.length > 0) renewSections(state, object, known.sections, record);
  if (there === undefined) return;
  record.edited.add(object);
  markChanged(object, record);
  for (const section of object.sections) markChanged(section, record);
}

function namespaceIn(kind: TargetKind, resource: KubernetesObject): string | undefined {
  return kind.scope === 'Cluster' ? undefined : namespaceOf(resource);
}

function markChanged(target: Target, record: ChangeInProgress): void {
  if (record.isNew(target)) return; // An existing object can have new sections.
  record.stale.add(target);
  record.changed.add(target);
}

function newObject(
  state: TopologyState,
  locator: string,
  kind: TargetKind,
  resource: KubernetesObject,
  record: ChangeInProgress,
): WholeTarget {
  const entry = state.namespaces.entry(namespaceIn(kind, resource));
  const object = new WholeTarget(locator, kind, resource, entry, record.version);
  state.namespaces.add(object);
  state.size += 1;
  record.came.push(object);
  setNamespace(state, object, object, record);
  return object;
}

function removeObject(state: TopologyState, object: WholeTarget, record: ChangeInProgress): void {
  for (const section of object.sections) remove(state, section, record);
  remove(state, object, record);
  state.issues.set('fields', object, []);
  state.namespaces.remove(object);
  setNamespace(state, object, undefined, record);
}

function remove(state: TopologyState, target: Target, record: ChangeInProgress): void {
  state.size -= 1;
  state.untargetable.delete(target);
  state.issues.set('sections', target, []);
  record.stale.add(target); // Its references are gone.
  record.gone.add(target);
  record.changed.delete(target);
}

/** Sets a target as the Namespace of its members, if the target is a Namespace. */
function setNamespace(
  { namespaces, kinds }: TopologyState,
  { kind, resource }: WholeTarget,
  namespace: WholeTarget | undefined,
  record: ChangeInProgress,
): void {
  if (kind !== kinds.namespace) return;
  const { name } = resource.metadata;
  const entry = namespaces.entry(name);
  entry.namespace = namespace;
  for (const member of namespaces.membersOf(name)) {
    for (const target of [member, ...member.sections]) {
      if (record.isNew(target)) continue;
      record.changed.add(target);
      record.entered.add(target);
    }
  }
  namespaces.forgetEmpty(entry);
}

function renewSections(
  state: TopologyState,
  object: WholeTarget,
  kinds: readonly SectionKind[],
  record: ChangeInProgress,
): void {
  const issues: Issue[] = [];
  const report = (issue: Pick<Issue, 'code' | 'severity' | 'message'>): void => {
    issues.push({ ...issue, resource: object.locator });
  };
  const placed = readSafely(object.locator, report, () => nameSections(kinds, object.resource, report));
  object.sections =
    object.sections.length === 0
      ? placed.map((it) => newSection(state, object, it, record))
      : changedSections(state, object, placed, record);
  record.report(state.issues.set('sections', object, issues));
}

function changedSections(
  state: TopologyState,
  object: WholeTarget,
  placed: readonly PlacedSection[],
  record: ChangeInProgress,
): readonly SectionTarget[] {
  const before = new Map(object.sections.map((section) => [section.section.name, section]));
  const sections = placed.map((it) => {
    const known = before.get(it.name);
    if (known?.kind !== it.kind) return newSection(state, object, it, record); // A section of another kind is another section.
    before.delete(it.name);
    return changedSection(state, known, it);
  });
  for (const section of before.values()) remove(state, section, record);
  return sections;
}

function newSection(
  state: TopologyState,
  object: WholeTarget,
  { kind, name, index, value, targetable }: PlacedSection,
  record: ChangeInProgress,
): SectionTarget {
  const section = new SectionTarget(object, kind, { name, value }, index, record.version);
  state.size += 1;
  if (!targetable) state.untargetable.add(section);
  record.came.push(section);
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
