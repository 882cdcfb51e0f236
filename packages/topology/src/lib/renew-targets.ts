import { type Issue, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import type { ChangeRecord, ResourceChange } from './change-record.ts';
import { readSafely } from './read-safely.ts';
import { nameSections, type PlacedSection } from './sections.ts';
import { type Home, Target } from './target.ts';
import type { SectionKind, TargetKind } from './target-kind.ts';
import type { World } from './world.ts';

/** Makes, changes and removes the targets that resources stand for, and their sections. */
export function renewTargets(world: World, record: ChangeRecord): void {
  for (const [locator, change] of record.resources) {
    const known = world.kinds.of((change.now ?? change.was) as KubernetesObject);
    if (known?.target !== undefined) renewTarget(world, locator, known.target, known.sections, change, record);
  }
}

function renewTarget(
  world: World,
  locator: string,
  kind: TargetKind,
  sectionKinds: readonly SectionKind[],
  { was, now }: ResourceChange,
  record: ChangeRecord,
): void {
  const known = world.targets.get(locator);
  if (known !== undefined && was !== undefined) world.selections.remove(known, was);
  if (now === undefined) {
    if (known !== undefined) removeObject(world, known, record);
    return;
  }
  const object = known ?? newObject(world, locator, kind, now, record);
  object.resource = now;
  world.selections.add(object);
  if (sectionKinds.length > 0) renewSections(world, object, sectionKinds, record);
  markChanged(object, record);
  for (const section of object.sections) markChanged(section, record);
}

function markChanged(target: Target, record: ChangeRecord): void {
  if (record.isNew(target)) return;
  record.stale.add(target);
  record.changed.add(target);
}

function newObject(
  world: World,
  locator: string,
  kind: TargetKind,
  resource: KubernetesObject,
  record: ChangeRecord,
): Target {
  const home = kind.scope === 'Cluster' ? undefined : homeIn(world, namespaceOf(resource));
  const object = new Target(locator, { kind, resource, since: record.version, home });
  world.targets.set(locator, object);
  world.objects.add(kind, object);
  record.came.push(object);
  home?.members.add(object);
  setNamespace(world, object, object, record);
  return object;
}

function removeObject(world: World, object: Target, record: ChangeRecord): void {
  for (const section of object.sections) remove(world, section, record);
  remove(world, object, record);
  world.objects.remove(object.kind as TargetKind, object);
  object.home?.members.delete(object);
  forgetHome(world, object.namespaceName);
  setNamespace(world, object, undefined, record);
}

function remove(world: World, target: Target, record: ChangeRecord): void {
  world.targets.delete(target.locator);
  world.untargetable.delete(target);
  world.issues.set('sections', target, []);
  record.stale.add(target); // It has no references any more.
  record.gone.add(target);
  record.changed.delete(target);
}

/** If a target is a Namespace, makes it the one that those know who are in it. */
function setNamespace(world: World, { locator }: Target, namespace: Target | undefined, record: ChangeRecord): void {
  if (!locator.startsWith('namespace:')) return;
  const name = locator.slice('namespace:'.length);
  const home = homeIn(world, name);
  home.namespace = namespace;
  for (const member of home.members) {
    for (const target of [member, ...member.sections]) {
      if (record.isNew(target)) continue;
      record.changed.add(target);
      record.entered.add(target);
    }
  }
  forgetHome(world, name);
}

/** Forgets a namespace that is not there, and that nothing is in. */
function forgetHome({ homes }: World, name: string | undefined): void {
  const home = name === undefined ? undefined : homes.get(name);
  if (name !== undefined && home?.namespace === undefined && home?.members.size === 0) homes.delete(name);
}

function homeIn({ homes }: World, name: string): Home {
  const known = homes.get(name);
  if (known !== undefined) return known;
  const home: Home = { namespace: undefined, members: new Set() };
  homes.set(name, home);
  return home;
}

function renewSections(world: World, object: Target, kinds: readonly SectionKind[], record: ChangeRecord): void {
  const issues: Issue[] = [];
  const report = (issue: Pick<Issue, 'code' | 'severity' | 'message'>): void => {
    issues.push({ ...issue, resource: object.locator });
  };
  const placed = readSafely(object.locator, report, () => nameSections(kinds, object.resource, report));
  const before = new Map(object.sections.map((section) => [section.section?.name, section]));
  const sections = placed.map((it) => {
    const known = before.get(it.name);
    if (known === undefined) return newSection(world, object, it, record);
    before.delete(it.name);
    return changedSection(world, known, it);
  });
  for (const section of before.values()) remove(world, section, record);
  if (sections.length > 0 || object.sections.length > 0) object.sections = sections;
  record.report(world.issues.set('sections', object, issues));
}

function newSection(
  world: World,
  object: Target,
  { kind, name, index, value, targetable }: PlacedSection,
  record: ChangeRecord,
): Target {
  const { resource, home } = object;
  const locator = `${object.locator}#${name}`;
  const section = new Target(
    locator,
    { kind, resource, since: record.version, home },
    { object, section: { name, value }, index },
  );
  world.targets.set(locator, section);
  if (!targetable) world.untargetable.add(section);
  record.came.push(section);
  return section;
}

function changedSection(
  world: World,
  section: Target,
  { kind, name, index, value, targetable }: PlacedSection,
): Target {
  section.kind = kind;
  section.resource = section.object.resource;
  section.section = { name, value };
  section.index = index;
  if (targetable) world.untargetable.delete(section);
  else world.untargetable.add(section);
  return section;
}
