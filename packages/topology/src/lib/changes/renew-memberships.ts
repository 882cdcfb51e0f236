import type { Issue } from '@policy-machinery/resource';
import { readSafely } from '../model/read-safely.ts';
import { isSameList } from '../support/is-same-list.ts';
import { none } from '../support/nothing.ts';
import type { WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';

/** Renews the containers of an object that was added, changed or removed. */
export function renewMemberships(change: ChangeInProgress, object: WholeTarget, isGone = false): void {
  const { memberships } = change.state;
  if (!memberships.isUsed) return;
  const issues: Issue[] = [];
  const stated = isGone ? none : readSafely(object.locator, issues, () => memberships.read(object));
  memberships.set(object, stated);
  change.setIssues('containers', object, issues);
  renewContainers(change, object);
}

/** Renews the members of a container that was added or removed: of a Namespace, or of a custom kind. */
export function renewMembers(change: ChangeInProgress, container: WholeTarget): void {
  const { namespaces, memberships, kinds } = change.state;
  const { name } = container.resource.metadata;
  if (container.kind === kinds.namespace) {
    for (const member of namespaces.membersOf(name)) {
      if (memberships.statedBy(member).length > 0) renewContainers(change, member);
      else moved(change, member);
    }
  } else for (const member of memberships.of(container.locator)) renewContainers(change, member);
}

/** Finds the containers of an object that the topology holds: cluster-scoped ones, its namespace, then those in the namespace. */
function renewContainers(change: ChangeInProgress, object: WholeTarget): void {
  const { namespaces, memberships } = change.state;
  const former = object.containers;
  const stated = memberships.statedBy(object);
  const containersAt = (isWide: boolean): readonly WholeTarget[] =>
    stated.flatMap(({ container, namespace, name }) =>
      (namespace === undefined) === isWide ? (namespaces.find(container, namespace, name) ?? none) : none,
    );
  object.ownContainers =
    stated.length === 0
      ? undefined
      : [...containersAt(true), ...object.namespaceEntry.containers, ...containersAt(false)];
  if (!isSameList(former, object.containers)) moved(change, object);
}

/** Records that an object is in other containers than before. */
function moved(change: ChangeInProgress, object: WholeTarget): void {
  for (const target of [object, ...object.sections]) {
    if (change.isNew(target)) continue;
    change.changed.add(target);
    change.entered.add(target);
  }
}
