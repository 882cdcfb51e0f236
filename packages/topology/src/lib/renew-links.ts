import type { Issue } from '@policy-machinery/resource';
import type { ChangeRecord } from './change-record.ts';
import { isLinked, link, shareEnds, unlink, unshareEnds } from './links.ts';
import { namingsOf } from './namings.ts';
import { unreadable } from './read-safely.ts';
import type { Reference } from './reference.ts';
import { leadsTo } from './referrers.ts';
import { refusalIssue } from './refusal-issue.ts';
import { type Resolution, resolveReference } from './resolve.ts';
import { inOrder } from './sorted.ts';
import { SectionTarget, type Target, type WholeTarget } from './target.ts';
import type { RefusedReference, UnresolvedReference } from './vain-references.ts';
import type { World } from './world.ts';

/** Resolves anew the references of all that are stale, and links what they lead to. */
export function renewLinks(world: World, record: ChangeRecord): void {
  const renew = (target: Target): void => renewReferences(world, target, record);
  for (const target of record.stale) {
    if (world.holds(target)) world.lookup.ask(target, renew, isTold);
    else letGo(world, target, record);
  }
  for (const target of record.came) world.lookup.ask(target, renew, isTold);
}

/** Whether the ends of references tell that they depend on a resource. */
function isTold({ above, beneath }: Target, object: WholeTarget): boolean {
  return leadsTo(beneath, object) || leadsTo(above, object);
}

function letGo(world: World, target: Target, record: ChangeRecord): void {
  world.lookup.forget(target);
  setEnds(world, target, none, none, record);
  world.vain.delete(target);
  setNamings(world, target, none, [], record);
  record.report(world.issues.set('links', target, []));
}

function renewReferences(world: World, target: Target, record: ChangeRecord): void {
  const { resolutions, issue } = resolvedReferences(world, target);
  let above: readonly Target[] = none;
  let beneath: readonly Target[] = none;
  let isVain = false;
  for (const { reference, ends, missing, refusals } of resolutions) {
    isVain ||= missing !== undefined || refusals.length > 0;
    if (reference.direction === 'up') above = joined(above, ends);
    else beneath = joined(beneath, ends);
  }
  setEnds(world, target, inOrder(above), inOrder(beneath), record);
  const issues = issue === undefined ? none : [issue];
  if (!isVain && world.vain.size > 0) world.vain.delete(target);
  record.report(world.issues.set('links', target, isVain ? takeDownVain(world, target, resolutions) : issues));
  if (world.kinds.hasPolicyRefs) {
    const namings = namingsOf(target, world);
    setNamings(world, target, namings.namings, namings.issues, record);
  }
}

/** Returns what is wrong with them. */
function takeDownVain({ vain }: World, from: Target, resolutions: readonly Resolution[]): readonly Issue[] {
  const unresolved: UnresolvedReference[] = [];
  const refused: RefusedReference[] = [];
  const issues: Issue[] = [];
  for (const { reference, ends, missing, refusals } of resolutions) {
    if (missing !== undefined) unresolved.push({ from, reference, missing });
    for (const refusal of refusals) refused.push({ from, reference, ...refusal });
    if (ends.length === 0 && refusals.length > 0) issues.push(refusalIssue(from, reference, refusals));
  }
  vain.set(from, { unresolved, refused });
  return issues;
}

const none: readonly never[] = [];

/** What one reference leads to is each there once. */
function joined(targets: readonly Target[], more: readonly Target[]): readonly Target[] {
  if (targets.length === 0) return more;
  return more.length === 0 ? targets : [...new Set([...targets, ...more])];
}

/** The references of a target, and what they lead to; none, and an issue, where they cannot be read. */
export function resolvedReferences(
  { lookup }: Pick<World, 'lookup'>,
  target: Target,
): { readonly resolutions: readonly Resolution[]; readonly issue?: Issue } {
  try {
    const references = referencesOf(target);
    const listed = Array.isArray(references) ? (references as readonly Reference[]) : [...references];
    return { resolutions: listed.map((reference) => resolveReference(target, reference, lookup)) };
  } catch (error) {
    return { resolutions: none, issue: unreadable(target.locator, error) };
  }
}

function referencesOf(target: Target): Iterable<Reference> {
  if (target instanceof SectionTarget) return target.kind.references(target.place, target.resource);
  return target.object.kind.references(target.resource);
}

function setEnds(
  world: World,
  target: Target,
  above: readonly Target[],
  beneath: readonly Target[],
  record: ChangeRecord,
): void {
  const { above: wereAbove, beneath: wereBeneath } = target;
  unshareEnds(target);
  target.above = above;
  target.beneath = beneath;
  for (const end of differing(wereAbove, above)) settleLinks(world, end, target, record);
  for (const end of differing(wereBeneath, beneath)) settleLinks(world, target, end, record);
  shareEnds(target);
}

function differing(before: readonly Target[], now: readonly Target[]): readonly Target[] {
  if (before.length === 0) return now;
  if (before.length === now.length && before.every((target, index) => target === now[index])) return none;
  const [old, young] = [new Set(before), new Set(now)];
  return [...before.filter((target) => !young.has(target)), ...now.filter((target) => !old.has(target))];
}

/** Links two targets if a reference says so, and looks whether that covers links to sections. */
export function settleLinks(world: World, above: Target, beneath: Target, record: ChangeRecord): void {
  const isCovering = settleLink(world, above, beneath, record);
  if (beneath.section !== undefined || (isCovering && beneath.linkedSections === 0)) return;
  for (const section of beneath.sections) settleLink(world, above, section, record);
}

/** A link to the whole covers those to its sections. Returns whether there is a link now. */
function settleLink(world: World, above: Target, beneath: Target, record: ChangeRecord): boolean {
  const isWanted =
    isMeant(world, above, beneath) && (beneath.section === undefined || !isMeant(world, above, beneath.object));
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

/** Whether a reference says that two targets are linked, and has not given way. */
function isMeant({ loops }: World, above: Target, beneath: Target): boolean {
  const isReferredTo = above.beneath.includes(beneath) || beneath.above.includes(above);
  return isReferredTo && !(loops.dropped.size > 0 && loops.dropped.get(above)?.has(beneath));
}

function suspectLoops({ kindLinks }: World, above: Target, beneath: Target, record: ChangeRecord): void {
  const [upper, lower] = [above.object.kind, beneath.object.kind];
  const known = kindLinks.mayLoop(upper, lower);
  if (known === undefined && kindLinks.add(upper, lower)) record.mayLoopAnew = true;
  if (known ?? kindLinks.mayLoop(upper, lower)) record.suspects.push([above, beneath]);
}

function setNamings(
  world: World,
  target: Target,
  namings: ReturnType<typeof namingsOf>['namings'],
  issues: readonly Issue[],
  record: ChangeRecord,
): void {
  const before = world.named.get(target);
  for (const { policy } of [...(before ?? []), ...namings]) record.stalePolicies.add(policy);
  if (namings.length > 0) world.named.set(target, namings);
  else if (before !== undefined) world.named.delete(target);
  record.report(world.issues.set('policyRefs', target, issues));
}
