import type { Issue } from '@policy-machinery/resource';
import { danglingReferences, isSameDangling } from '../model/dangling-references.ts';
import { readSafely } from '../model/read-safely.ts';
import type { Reference } from '../model/reference.ts';
import type { EndRefusal } from '../model/resolved-reference.ts';
import { type PolicyRefs, readPolicyRefs } from '../references/policy-refs.ts';
import { refusalIssues } from '../references/refusal-issues.ts';
import type { Relaying } from '../references/relays.ts';
import { type Resolution, resolveReferences } from '../references/resolve.ts';
import { isSameList } from '../support/is-same-list.ts';
import { emptySet, none } from '../support/nothing.ts';
import { shareEnds, unshareEnds } from '../targets/links.ts';
import { hasPartOf, inOrder } from '../targets/sorted.ts';
import { rivalryAt, type Target, type WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { renewLinksBetween, reopen } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

/** Resolves the references of all stale targets again, and links their ends. */
export function renewLinks(state: TopologyState, change: ChangeInProgress): void {
  const renew = (target: Target): void => renewReferences(state, target, change);
  /** Returns whether a target's links show that it depends on a resource. Links of relaying references may be closed, so they do not. */
  const isKnownByEnds = (target: Target, object: WholeTarget): boolean =>
    !state.relays.has(target) && (hasPartOf(target.below, object) || hasPartOf(target.above, object));
  for (const target of change.stale) {
    reopen(state, target, change);
    if (state.contests.has(target)) change.contest(target);
    if (state.holds(target)) state.lookup.ask(target, renew, isKnownByEnds);
    else letGo(state, target, change);
  }
  for (const target of change.came) state.lookup.ask(target, renew, isKnownByEnds);
  for (const target of state.selectionLimits.takeChanged()) state.lookup.ask(target, renew, isKnownByEnds);
}

function letGo(state: TopologyState, target: Target, change: ChangeInProgress): void {
  state.lookup.forget(target);
  state.selectionLimits.finish(target);
  setReferences(state, target, none, change);
  setPolicyRefs(state, target, new Map(), none, change);
  change.report(state.issues.set('links', target, none));
}

function renewReferences(state: TopologyState, target: Target, change: ChangeInProgress): void {
  const unread: Issue[] = [];
  const all = ownReferences(state, target, unread);
  const links = all.filter(isLinking);
  setReferences(state, target, links, change);
  if (links.length < all.length || unread.length > 0) change.restate(target);
  change.report(state.issues.set('links', target, [...unread, ...refusalIssues(target, links)]));
  if (!state.kinds.hasPolicyRefs) return;
  const issues: Issue[] = [];
  const policyRefs = readPolicyRefs(target, state.lookup, issues);
  setPolicyRefs(state, target, policyRefs, issues, change);
}

function isLinking({ reference }: Resolution): boolean {
  return reference.withoutLink !== true;
}

/** Records the references of a target as refused at sections that do not keep the target. */
export function restateReferences(state: TopologyState, target: Target, change: ChangeInProgress): void {
  const unread: Issue[] = [];
  const links = resolvedReferences(state, target, unread).filter(isLinking);
  setDangling(state.dangling, target, links, change);
  change.report(state.issues.set('links', target, [...unread, ...refusalIssues(target, links)]));
}

/** Returns the references of a target with their ends; none if they cannot be read. */
export function resolvedReferences(
  state: Pick<TopologyState, 'lookup' | 'selectionLimits' | 'contests'>,
  target: Target,
  issues?: Issue[],
): readonly Resolution[] {
  const { contests } = state;
  const resolutions = ownReferences(state, target, issues);
  if (contests.size === 0) return resolutions;
  return resolutions.map((resolution): Resolution => {
    const lost = resolution.ends.flatMap((end): readonly EndRefusal[] => {
      const refusal = contests.get(end)?.refused.get(target);
      return refusal === undefined ? none : [{ to: end.locator, ...refusal }];
    });
    if (lost.length === 0) return resolution;
    const ends = resolution.ends.filter((end) => !contests.get(end)?.refused.has(target));
    return { ...resolution, ends, refusals: [...resolution.refusals, ...lost] };
  });
}

/** Returns what {@link resolvedReferences} returns if sections keep all rivals. */
function ownReferences(
  { lookup, selectionLimits }: Pick<TopologyState, 'lookup' | 'selectionLimits'>,
  target: Target,
  issues: Issue[] = [],
): readonly Resolution[] {
  const resolutions = readSafely(target.locator, issues, () => resolveReferences(target, lookup));
  selectionLimits.finish(target);
  return resolutions;
}

/** Records the ends of a target's references, except for references that make no link. */
function setReferences(
  state: TopologyState,
  target: Target,
  links: readonly Resolution[],
  change: ChangeInProgress,
): void {
  setEnds(state, target, { above: endsOf(links, 'up'), below: endsOf(links, 'down') }, change);
  setRelays(state, target, relayingAmong(links), change);
  setDangling(state.dangling, target, links, change);
}

/** Records which references of a target dangle, as resolved, or as decided. */
export function setDangling(
  dangling: TopologyState['dangling' | 'danglingRelays'],
  target: Target,
  links: readonly Resolution[],
  change: ChangeInProgress,
): void {
  const before = dangling.get(target);
  const now = danglingReferences(target, links);
  if (now !== undefined) dangling.set(target, now);
  else dangling.delete(target);
  if (!isSameDangling(before, now)) change.restate(target);
}

/** Returns the ends of references in one direction, each once. Usually there is one reference, whose list is used. */
function endsOf(links: readonly Resolution[], direction: Reference['direction']): readonly Target[] {
  const [first] = links;
  if (first === undefined) return none;
  if (links.length === 1) return first.reference.direction === direction ? inOrder(first.ends) : none;
  return inOrder(links.flatMap(({ reference, ends }) => (reference.direction === direction ? ends : none)));
}

/** Returns the references that hand values on, as they are before they are decided. */
function relayingAmong(links: readonly Resolution[]): readonly Relaying[] {
  return links.flatMap(({ reference, ends }): readonly Relaying[] => {
    const { relay } = reference;
    return relay === undefined ? none : [{ reference, relay, ends, value: undefined, open: emptySet }];
  });
}

function setEnds(
  state: TopologyState,
  target: Target,
  { above, below }: Pick<Target, 'above' | 'below'>,
  change: ChangeInProgress,
): void {
  const { above: wereAbove, below: wereBelow } = target;
  unshareEnds(target);
  target.above = above;
  target.below = below;
  for (const end of differing(wereAbove, above)) {
    renewLinksBetween(state, end, target, change, wereAbove.length === 0);
    if (rivalryAt(end) !== undefined) change.contest(end, state.contests.has(end) ? target : undefined);
  }
  if (state.contests.size > 0) for (const end of above) if (state.contests.has(end)) change.contest(end, target);
  for (const end of differing(wereBelow, below)) renewLinksBetween(state, target, end, change, wereBelow.length === 0);
  shareEnds(target);
}

function differing(before: readonly Target[], now: readonly Target[]): readonly Target[] {
  if (before.length === 0) return now;
  if (isSameList(before, now)) return none;
  const [old, young] = [new Set(before), new Set(now)];
  return [...before.filter((target) => !young.has(target)), ...now.filter((target) => !old.has(target))];
}

function setPolicyRefs(
  state: TopologyState,
  target: Target,
  policyRefs: PolicyRefs,
  issues: readonly Issue[],
  change: ChangeInProgress,
): void {
  const before = state.policyRefs.get(target);
  for (const named of [before, policyRefs]) for (const policy of named?.keys() ?? []) change.stalePolicies.add(policy);
  if (policyRefs.size > 0) state.policyRefs.set(target, policyRefs);
  else if (before !== undefined) state.policyRefs.delete(target);
  change.report(state.issues.set('policyRefs', target, issues));
}

/** Records the relaying references of a target, which are decided once all links are known. */
function setRelays(
  state: TopologyState,
  holder: Target,
  relaying: readonly Relaying[],
  change: ChangeInProgress,
): void {
  if (relaying.length > 0) {
    state.relays.set(holder, relaying);
    change.relaying.add(holder);
  } else if (state.relays.delete(holder)) {
    state.danglingRelays.delete(holder);
    change.report(state.issues.set('relays', holder, []));
  }
}
