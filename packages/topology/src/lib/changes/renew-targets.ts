import { type Issue, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { readSafely } from '../model/read-safely.ts';
import type { SectionKind, TargetKind } from '../model/target-kind.ts';
import { nameSections, type PlacedSection } from '../targets/sections.ts';
import { SectionTarget, type Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress, ResourceChange } from './change-in-progress.ts';
import { leavesFieldsUnread, readFields } from './field-issues.ts';
import { inLocatorOrder } from './in-locator-order.ts';
import type { World } from './topology-state.ts';

/** Makes, changes and removes the targets that resources stand for, and their sections. */
export function renewTargets(world: World, record: ChangeInProgress): void {
  if (leavesFieldsUnread(world, record)) world.areFieldsUnread = true;
  for (const change of inLocatorOrder(record.resources.values())) {
    if (change.known.target !== undefined) renewTarget(world, change, change.known.target, record);
  }
}

function renewTarget(world: World, change: ResourceChange, kind: TargetKind, record: ChangeInProgress): void {
  const { was, now, known } = change;
  const there = was && world.homes.find(kind, namespaceIn(kind, was), was.metadata.name);
  if (there !== undefined && was !== undefined) world.selections.remove(there, was);
  if (now === undefined) {
    if (there !== undefined) removeObject(world, there, record);
    return;
  }
  const object = there ?? newObject(world, change.locator, kind, now, record);
  object.resource = now;
  world.selections.add(object);
  if (!world.areFieldsUnread) record.report(readFields(world, object));
  if (known.sections.length > 0) renewSections(world, object, known.sections, record);
  if (there === undefined) return;
  record.edited.add(object);
  markChanged(object, record);
  for (const section of object.sections) markChanged(section, record);
}

function namespaceIn(kind: TargetKind, resource: KubernetesObject): string | undefined {
  return kind.scope === 'Cluster' ? undefined : namespaceOf(resource);
}

function markChanged(target: Target, record: ChangeInProgress): void {
  if (record.isNew(target)) return; // A section can be new where its object is not.
  record.stale.add(target);
  record.changed.add(target);
}

function newObject(
  world: World,
  locator: string,
  kind: TargetKind,
  resource: KubernetesObject,
  record: ChangeInProgress,
): WholeTarget {
  const home = world.homes.home(namespaceIn(kind, resource));
  const object = new WholeTarget(locator, kind, resource, home, record.version);
  world.homes.add(object);
  world.size += 1;
  record.came.push(object);
  setNamespace(world, object, object, record);
  return object;
}

function removeObject(world: World, object: WholeTarget, record: ChangeInProgress): void {
  for (const section of object.sections) remove(world, section, record);
  remove(world, object, record);
  world.issues.set('fields', object, []);
  world.homes.remove(object);
  setNamespace(world, object, undefined, record);
}

function remove(world: World, target: Target, record: ChangeInProgress): void {
  world.size -= 1;
  world.untargetable.delete(target);
  world.issues.set('sections', target, []);
  record.stale.add(target); // It has no references any more.
  record.gone.add(target);
  record.changed.delete(target);
  record.restated.delete(target);
}

/** If a target is a Namespace, makes it the one that those know who are in it. */
function setNamespace(
  { homes, kinds }: World,
  { kind, resource }: WholeTarget,
  namespace: WholeTarget | undefined,
  record: ChangeInProgress,
): void {
  if (kind !== kinds.namespace) return;
  const { name } = resource.metadata;
  const home = homes.home(name);
  home.namespace = namespace;
  for (const member of homes.membersOf(name)) {
    for (const target of [member, ...member.sections]) {
      if (record.isNew(target)) continue;
      record.changed.add(target);
      record.entered.add(target);
    }
  }
  homes.forgetEmpty(home);
}

function renewSections(
  world: World,
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
      ? placed.map((it) => newSection(world, object, it, record))
      : changedSections(world, object, placed, record);
  record.report(world.issues.set('sections', object, issues));
}

function changedSections(
  world: World,
  object: WholeTarget,
  placed: readonly PlacedSection[],
  record: ChangeInProgress,
): readonly SectionTarget[] {
  const before = new Map(object.sections.map((section) => [section.section.name, section]));
  const sections = placed.map((it) => {
    const known = before.get(it.name);
    if (known?.kind !== it.kind) return newSection(world, object, it, record); // Of another kind it is another section.
    before.delete(it.name);
    return changedSection(world, known, it);
  });
  for (const section of before.values()) remove(world, section, record);
  return sections;
}

function newSection(
  world: World,
  object: WholeTarget,
  { kind, name, index, value, targetable }: PlacedSection,
  record: ChangeInProgress,
): SectionTarget {
  const section = new SectionTarget(object, kind, { name, value }, index, record.version);
  world.size += 1;
  if (!targetable) world.untargetable.add(section);
  record.came.push(section);
  return section;
}

function changedSection(
  world: World,
  section: SectionTarget,
  { name, index, value, targetable }: PlacedSection,
): SectionTarget {
  section.section = { name, value };
  section.index = index;
  if (targetable) world.untargetable.delete(section);
  else world.untargetable.add(section);
  return section;
}
