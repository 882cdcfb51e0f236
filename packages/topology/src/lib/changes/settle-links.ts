import { isLinked, link, unlink } from '../targets/links.ts';
import { isIn, sectionsIn } from '../targets/sorted.ts';
import type { SectionTarget, Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import type { World } from './topology-state.ts';

/**
 * Links two targets if a reference says so, and looks whether that covers links to sections.
 *
 * @param isReferredTo Whether it is known that a reference says so. Default: that is looked up.
 */
export function settleLinks(
  world: World,
  above: Target,
  beneath: Target,
  record: ChangeInProgress,
  isReferredTo?: boolean,
): void {
  const isCovering = settleLink(world, above, beneath, record, isReferredTo);
  if (beneath.section !== undefined || (isCovering && beneath.linkedSections === 0)) return;
  for (const section of sectionsBetween(above, beneath.object)) settleLink(world, above, section, record);
}

/** The sections of a resource that are linked with a target, or would be but for a link to the whole. */
function sectionsBetween(above: Target, beneath: WholeTarget): ReadonlySet<SectionTarget> {
  const sections = new Set([...sectionsIn(above.linksTo, beneath), ...sectionsIn(above.beneath, beneath)]);
  for (const section of beneath.sections) if (section.above.length > 0) sections.add(section);
  return sections;
}

/** Links a target again to what its relaying references must not lead to: that is decided again. */
export function reopen(world: World, holder: Target, record: ChangeInProgress): void {
  const ends = world.closed.get(holder);
  if (ends === undefined) return;
  world.closed.delete(holder);
  record.relaying.add(holder);
  for (const end of ends) settleLinks(world, holder, end, record);
}

/** Does so for all targets. */
export function reopenAll(world: World, record: ChangeInProgress): void {
  for (const holder of [...world.closed.keys()]) reopen(world, holder, record);
}

/** A link to the whole covers those to its sections. Returns whether there is a link now. */
function settleLink(
  world: World,
  above: Target,
  beneath: Target,
  record: ChangeInProgress,
  isReferredTo = false,
): boolean {
  const isWanted =
    isMeant(world, above, beneath, isReferredTo) &&
    (beneath.section === undefined || !isMeant(world, above, beneath.object));
  const isThere = isLinked(above, beneath);
  if (isWanted === isThere) return isWanted;
  record.touch(above, beneath, isThere);
  if (isThere) unlink(above, beneath);
  else {
    link(above, beneath);
    suspectLoops(world, above, beneath, record);
  }
  return isWanted;
}

/** Whether a reference says that two targets are linked, and neither has given way nor is closed. */
function isMeant({ loops, closed }: World, above: Target, beneath: Target, isReferredTo = false): boolean {
  if (!isReferredTo && !isIn(above.beneath, beneath) && !isIn(beneath.above, above)) return false;
  if (closed.size > 0 && closed.get(above)?.has(beneath)) return false;
  return !(loops.dropped.size > 0 && loops.dropped.get(above)?.has(beneath));
}

function suspectLoops({ kindLinks }: World, above: Target, beneath: Target, record: ChangeInProgress): void {
  const [upper, lower] = [above.object.kind, beneath.object.kind];
  const known = kindLinks.mayLoop(upper, lower);
  if (known === undefined && kindLinks.add(upper, lower)) record.mayLoopAnew = true;
  if (known ?? kindLinks.mayLoop(upper, lower)) record.suspects.push([above, beneath]);
}
