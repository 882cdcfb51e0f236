import type { ChangeRecord } from '../model/change-record.ts';
import type { TargetNode } from '../model/target-node.ts';
import type { Topology } from '../model/topology.ts';
import { canBeEntered } from './position.ts';
import { targetsAbove, targetsBelow } from './walks.ts';

/**
 * Returns the targets that may be reached by other paths than before some changes: targets that have changed, and all below.
 *
 * @param topology The topology after the changes.
 * @param records The changes.
 * @param levels Other targets with different policies, which paths bring along; containers stand for their members. Default: none.
 * @returns The targets, each once; also those that are gone. O(changes, and targets and links below).
 */
export function targetsRerouted(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode> = [],
): ReadonlySet<TargetNode> {
  const starts = withMembers(topology, levels);
  const add = (target: TargetNode): void => {
    starts.add(target);
    // Whether paths enter an object by a section decides where paths begin.
    starts.add(target.object);
    for (const section of target.object.sections) starts.add(section);
  };
  for (const { came, entered, gone, changed } of records) {
    for (const some of [came, entered, gone]) for (const target of some) add(target);
    // Paths that enter a section go on by the links of its object.
    for (const target of changed) if (target.object.sections.some(canBeEntered)) add(target.object);
  }
  return targetsBelow(starts);
}

/**
 * Returns targets, the members of those that are containers, and all targets above them, as far as they exist.
 *
 * @param topology The topology after some changes.
 * @param changed The targets that have changed. If a link is gone, its upper end is among these, so that the targets above that were above the lower
 * one, too.
 * @returns The targets, each once. O(targets and links above).
 */
export function targetsAboveChanged(topology: Topology, changed: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  return targetsAbove([...withMembers(topology, changed)].filter((target) => topology.get(target) === target));
}

function withMembers(topology: Topology, targets: Iterable<TargetNode>): Set<TargetNode> {
  const members = new Set<TargetNode>();
  for (const target of targets) for (const each of [target, ...topology.membersOf(target)]) members.add(each);
  return members;
}
