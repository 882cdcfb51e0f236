import type { TargetNode } from '../model/target-node.ts';
import { canBeEntered } from './position.ts';

/**
 * Returns targets and all targets below them: sections, linked targets, and the objects of linked sections, which paths pass.
 *
 * @param starts The targets.
 * @returns The targets, each once. O(targets and links below).
 */
export function targetsBelow(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const found = new Set(starts);
  for (const target of found) {
    const { sections, linksTo, section, object } = target;
    for (const next of sections) found.add(next); // The loop visits added targets, too.
    for (const next of linksTo) found.add(next).add(next.object);
    if (section !== undefined && object.linksTo.length > 0 && canBeEntered(target)) {
      for (const next of object.linksTo) found.add(next);
    }
  }
  return found;
}

/**
 * Returns targets and all targets above them: the objects of sections, the sources of links, and containers.
 *
 * @param starts The targets.
 * @returns The targets, each once. O(targets and links above).
 */
export function targetsAbove(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const found = new Set(starts);
  for (const { object, section, linksFrom, containers } of found) {
    found.add(object);
    for (const parent of linksFrom) found.add(parent);
    if (section === undefined) for (const it of object.sections) for (const parent of it.linksFrom) found.add(parent);
    for (const container of containers) found.add(container);
  }
  return found;
}
