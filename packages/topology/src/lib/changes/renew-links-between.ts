import { isLinked, link, unlink } from '../targets/links.ts';
import { isIn, sectionsIn } from '../targets/sorted.ts';
import type { SectionTarget, Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Links two targets if there is a reference between them, and removes links to sections that the link covers.
 *
 * @param isReferredTo Whether a reference is known to exist. Default: it is looked up.
 */
export function renewLinksBetween(
  change: ChangeInProgress,
  above: Target,
  below: Target,
  isReferredTo?: boolean,
): void {
  const isCovering = renewLink(change, above, below, isReferredTo);
  if (below.section !== undefined || (isCovering && below.linkedSections === 0)) return;
  for (const section of sectionsBetween(above, below.object)) renewLink(change, above, section);
}

/** Returns the sections of a resource that are linked with a target, or covered by a link to the whole. */
function sectionsBetween(above: Target, below: WholeTarget): ReadonlySet<SectionTarget> {
  const sections = new Set([...sectionsIn(above.linksTo, below), ...sectionsIn(above.below, below)]);
  for (const section of below.sections) if (section.above.length > 0) sections.add(section);
  return sections;
}

/** Opens the closed links of a target's relaying references, which are decided again. */
export function reopen(change: ChangeInProgress, holder: Target): void {
  const { closed } = change.state;
  const ends = closed.get(holder);
  if (ends === undefined) return;
  closed.delete(holder);
  change.relaying.add(holder);
  for (const end of ends) renewLinksBetween(change, holder, end);
}

/** Adds or removes a link; a link to the whole covers those to its sections. Returns whether there is a link now. */
function renewLink(change: ChangeInProgress, above: Target, below: Target, isReferredTo = false): boolean {
  const { state } = change;
  const isWanted =
    isMeant(state, above, below, isReferredTo) && (below.section === undefined || !isMeant(state, above, below.object));
  const isThere = isLinked(above, below);
  if (isWanted === isThere) return isWanted;
  change.touch(above, below, isThere);
  if (isThere) unlink(above, below);
  else {
    link(above, below);
    suspectCycles(change, above, below);
  }
  return isWanted;
}

/** Returns whether a reference between two targets has a link that is neither dropped nor closed, and an upper end that keeps the lower one. */
function isMeant(
  { cycles, closed, contests }: TopologyState,
  above: Target,
  below: Target,
  isReferredTo = false,
): boolean {
  if (!isReferredTo && !isIn(above.below, below) && !isIn(below.above, above)) return false;
  if (contests.size > 0 && contests.get(above)?.refused.has(below)) return false;
  if (closed.size > 0 && closed.get(above)?.has(below)) return false;
  return !(cycles.dropped.size > 0 && cycles.dropped.get(above)?.has(below));
}

function suspectCycles(change: ChangeInProgress, above: Target, below: Target): void {
  const { kindLinks } = change.state;
  const [upper, lower] = [above.object.kind, below.object.kind];
  const isNew = kindLinks.add(upper, lower);
  if (!kindLinks.leadsTo(lower, upper)) return;
  if (isNew) change.hasNewKindCycles = true;
  change.suspects.push([above, below]);
}
