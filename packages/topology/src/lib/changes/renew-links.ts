import type { Issue } from '@policy-machinery/resource';
import { readSafely } from '../model/read-safely.ts';
import type { Reference, Refusal } from '../model/reference.ts';
import type { EndRefusal } from '../model/resolved-reference.ts';
import { danglesAlike, danglingAmong, refusalIssues } from '../references/dangling.ts';
import { noPolicyRefs, type PolicyRefs, readPolicyRefs } from '../references/policy-refs.ts';
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
export function renewLinks(change: ChangeInProgress): void {
  const { state } = change;
  const renew = (target: Target): void => renewReferences(change, target);
  /** Returns whether a target's links show that it depends on a resource. Links of relaying references may be closed, so they do not. */
  const isKnownByEnds = (target: Target, object: WholeTarget): boolean =>
    !state.relays.has(target) && (hasPartOf(target.below, object) || hasPartOf(target.above, object));
  for (const target of change.stale) {
    reopen(change, target);
    if (state.contests.has(target)) change.contest(target);
    if (state.holds(target)) state.lookup.ask(target, renew, isKnownByEnds);
    else letGo(change, target);
  }
  for (const target of change.came) state.lookup.ask(target, renew, isKnownByEnds);
  for (const target of state.selectionLimits.takeChanged()) state.lookup.ask(target, renew, isKnownByEnds);
}

function letGo(change: ChangeInProgress, target: Target): void {
  change.state.lookup.forget(target);
  change.state.selectionLimits.finish(target);
  setReferences(change, target, none, none);
  setPolicyRefs(change, target, noPolicyRefs, none);
}

function renewReferences(change: ChangeInProgress, target: Target): void {
  const { state } = change;
  const unread: Issue[] = [];
  const references = ownReferences(state, target, unread);
  const links = linksAmong(references);
  setReferences(change, target, links, unread);
  if (links.length < references.length || unread.length > 0) change.restate(target);
  if (!state.kinds.hasPolicyRefs) return;
  const issues: Issue[] = [];
  setPolicyRefs(change, target, readPolicyRefs(target, state.lookup, issues), issues);
}

/** Returns the references that make links: usually all of them, as the same list. */
function linksAmong(resolutions: readonly Resolution[]): readonly Resolution[] {
  const isLinking = ({ reference }: Resolution): boolean => reference.withoutLink !== true;
  return resolutions.every(isLinking) ? resolutions : resolutions.filter(isLinking);
}

/** Records the references of a target as refused at sections that do not keep the target. */
export function restateReferences(change: ChangeInProgress, target: Target): void {
  const unread: Issue[] = [];
  setDangling(change, 'links', target, linksAmong(resolvedReferences(change.state, target, unread)), unread);
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
    const lost = refusalsAt(resolution.ends, (end) => contests.get(end)?.refused.get(target), false);
    const possibleRefusals = refusalsAt(resolution.ends, (end) => contests.get(end)?.undecided.get(target), true);
    if (lost.length + possibleRefusals.length === 0) return resolution;
    const ends = resolution.ends.filter((end) => !contests.get(end)?.refused.has(target));
    const refusals = [...resolution.refusals, ...lost];
    return { ...resolution, ends, refusals, ...(possibleRefusals.length > 0 && { possibleRefusals }) };
  });
}

function refusalsAt(
  ends: readonly Target[],
  refusalOf: (end: Target) => Refusal | undefined,
  isUndecided: boolean,
): readonly EndRefusal[] {
  return ends.flatMap((end): readonly EndRefusal[] => {
    const refusal = refusalOf(end);
    return refusal === undefined ? none : [{ to: end.locator, ...refusal, isUndecided }];
  });
}

/** Like {@link resolvedReferences}, if sections keep all rivals. */
function ownReferences(
  { lookup, selectionLimits }: Pick<TopologyState, 'lookup' | 'selectionLimits'>,
  target: Target,
  issues: Issue[] = [],
): readonly Resolution[] {
  const resolutions = readSafely(target.locator, issues, () => resolveReferences(target, lookup));
  selectionLimits.finish(target);
  return resolutions;
}

/**
 * Records the references of a target, except for those that make no link.
 *
 * @param unread The issues of references that cannot be read.
 */
function setReferences(
  change: ChangeInProgress,
  target: Target,
  links: readonly Resolution[],
  unread: readonly Issue[],
): void {
  setEnds(change, target, endsOf(links, 'up'), endsOf(links, 'down'));
  setRelays(change, target, links);
  setDangling(change, 'links', target, links, unread);
}

/** Records which references of a target dangle, as resolved or as decided, and the issues of references that no end admits. */
export function setDangling(
  change: ChangeInProgress,
  source: 'links' | 'relays',
  target: Target,
  resolutions: readonly Resolution[],
  unread: readonly Issue[],
): void {
  const danglingBySource = change.state.dangling[source];
  const danglingBefore = danglingBySource.get(target) ?? none;
  const dangling = danglingAmong(resolutions);
  if (dangling.length > 0) danglingBySource.set(target, dangling);
  else danglingBySource.delete(target);
  if (!isSameList(danglingBefore, dangling, danglesAlike)) change.restate(target);
  change.setIssues(source, target, dangling.length === 0 ? unread : [...unread, ...refusalIssues(target, dangling)]);
}

/** Returns the ends of references in one direction, each once. Usually there is one reference, and its list is used. */
function endsOf(links: readonly Resolution[], direction: Reference['direction']): readonly Target[] {
  const [first] = links;
  if (first === undefined) return none;
  if (links.length === 1) return first.reference.direction === direction ? inOrder(first.ends) : none;
  const allEnds: Target[] = [];
  for (const { reference, ends } of links) {
    if (reference.direction === direction) for (const end of ends) allEnds.push(end); // There may be many.
  }
  return allEnds.length === 0 ? none : inOrder(allEnds);
}

function setEnds(change: ChangeInProgress, target: Target, above: readonly Target[], below: readonly Target[]): void {
  const { contests } = change.state;
  const { above: wereAbove, below: wereBelow } = target;
  unshareEnds(target);
  target.above = above;
  target.below = below;
  for (const end of differing(wereAbove, above)) {
    renewLinksBetween(change, end, target, wereAbove.length === 0);
    if (rivalryAt(end) !== undefined) change.contest(end, contests.has(end) ? target : undefined);
  }
  if (contests.size > 0) for (const end of above) if (contests.has(end)) change.contest(end, target);
  for (const end of differing(wereBelow, below)) renewLinksBetween(change, target, end, wereBelow.length === 0);
  shareEnds(target);
}

function differing(targetsBefore: readonly Target[], targets: readonly Target[]): readonly Target[] {
  if (targetsBefore.length === 0) return targets;
  if (isSameList(targetsBefore, targets)) return none;
  const [old, young] = [new Set(targetsBefore), new Set(targets)];
  return [...targetsBefore.filter((target) => !young.has(target)), ...targets.filter((target) => !old.has(target))];
}

function setPolicyRefs(
  change: ChangeInProgress,
  target: Target,
  policyRefs: PolicyRefs,
  issues: readonly Issue[],
): void {
  const refsByTarget = change.state.policyRefs;
  const refsBefore = refsByTarget.get(target) ?? noPolicyRefs;
  for (const named of [refsBefore, policyRefs]) for (const policy of named.keys()) change.stalePolicies.add(policy);
  if (policyRefs.size > 0) refsByTarget.set(target, policyRefs);
  else refsByTarget.delete(target);
  change.setIssues('policyRefs', target, issues);
}

/** Records the relaying references of a target, which are decided once all links are known. */
function setRelays(change: ChangeInProgress, holder: Target, links: readonly Resolution[]): void {
  const { relays } = change.state;
  const relaying = links.some(({ reference }) => reference.relay !== undefined) ? relayingAmong(links) : none;
  if (relaying.length > 0) {
    relays.set(holder, relaying);
    change.relaying.add(holder);
  } else if (relays.delete(holder)) setDangling(change, 'relays', holder, none, none);
}

/** Returns the references that hand values on, before they are decided. */
function relayingAmong(links: readonly Resolution[]): readonly Relaying[] {
  return links.flatMap(({ reference, ends }): readonly Relaying[] => {
    const { relay } = reference;
    return relay === undefined ? none : [{ reference, relay, ends, value: undefined, open: emptySet }];
  });
}
