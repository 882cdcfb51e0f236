import type { TargetNode } from '../model/target-node.ts';
import { canBeEntered } from './position.ts';

/**
 * Returns targets and all targets below them: sections, linked targets, and the objects of linked sections, which paths pass.
 *
 * @param starts The targets.
 * @returns The targets, each once. O(targets and links below).
 */
export function targetsBelow(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const reached = new Set(starts);
  for (const target of reached) {
    const { sections, linksTo, section, object } = target;
    for (const next of sections) reached.add(next); // The loop visits added targets, too.
    for (const next of linksTo) reached.add(next).add(next.object);
    if (section !== undefined && object.linksTo.length > 0 && canBeEntered(target)) {
      for (const next of object.linksTo) reached.add(next);
    }
  }
  return reached;
}

/**
 * Returns targets and all targets above them: the objects of sections, the sources of links, and containers.
 *
 * @param starts The targets.
 * @returns The targets, each once. O(targets and links above).
 */
export function targetsAbove(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const reached = new Set(starts);
  for (const { object, section, linksFrom, containers } of reached) {
    reached.add(object);
    for (const parent of linksFrom) reached.add(parent);
    const sections = section === undefined ? object.sections : [];
    for (const sibling of sections) for (const parent of sibling.linksFrom) reached.add(parent);
    for (const container of containers) reached.add(container);
  }
  return reached;
}
