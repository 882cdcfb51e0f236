import type { ChangeRecord } from '../model/change-record.ts';
import { isSectionKind } from '../model/target-kind.ts';
import type { TargetNode } from '../model/target-node.ts';
import type { StatusChange, StatusDefinition } from '../model/target-status.ts';
import type { Topology } from '../model/topology.ts';

/**
 * Returns the whole resources that may need an update of their own status after some changes: resources that have changed, or have changed
 * references, and resources that depend on them.
 *
 * @param topology The topology after the changes.
 * @param records The changes. Default: everything counts as changed.
 * @returns The resources that still exist. O(changes, and their dependents).
 */
export function statusesTouched(
  topology: Topology,
  records: Iterable<ChangeRecord> | undefined,
): ReadonlySet<TargetNode> {
  const touched = new Set<TargetNode>();
  const kinds = [...topology.targetKinds].filter(({ status }) => status !== undefined);
  if (kinds.length === 0) return touched;
  if (records === undefined) return new Set(topology.targetsOf(kinds.filter(({ status }) => status?.of !== undefined)));
  const add = (target: TargetNode): void => {
    if (topology.get(target) === target && statusOf(target)?.of !== undefined) touched.add(target);
  };
  const spread = (target: TargetNode, cause: StatusChange['cause']): void => {
    const dependents = target.section === undefined ? statusOf(target)?.dependents : undefined;
    if (dependents === undefined || topology.get(target) !== target) return;
    for (const dependent of dependents(target, { topology, cause })) add(dependent);
  };
  for (const { came, changed, edited, entered, restated } of records) {
    for (const targets of [came, changed, restated]) for (const { object } of targets) add(object);
    for (const target of edited) spread(target, 'resource');
    for (const target of entered) spread(target, 'above');
    for (const { object } of restated) spread(object, 'references');
    for (const target of changed) if (!edited.has(target)) spread(target, 'links');
  }
  return touched;
}

function statusOf({ kind }: TargetNode): StatusDefinition | undefined {
  return isSectionKind(kind) ? undefined : kind.status;
}
