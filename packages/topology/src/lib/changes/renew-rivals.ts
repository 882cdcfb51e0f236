import type { GroupKind, KubernetesObject } from '@policy-machinery/resource';
import type { Refusal } from '../model/reference.ts';
import { isIn } from '../targets/sorted.ts';
import { rivalryAt, type Target } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { Contest, noRivals } from './contest.ts';
import { restateReferences } from './renew-links.ts';
import { renewLinksBetween } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

type Decision = Pick<Contest, 'refused' | 'undecided'>;

const nothingDecided: Decision = { refused: noRivals, undecided: noRivals };

/** Decides which rivals the touched sections keep, and links only these. O(touched rivals), besides the cost of the sections' rules. */
export function renewRivals(change: ChangeInProgress): void {
  const { state } = change;
  for (const [end, touched] of change.rivals) {
    const { refused, undecided } = state.contests.get(end) ?? nothingDecided;
    const were: Decision = { refused, undecided };
    const are = renewContest(change, end, were, touched);
    state.undecidedSections += Number(are.undecided.size > 0) - Number(were.undecided.size > 0);
    for (const rival of affectedBy(were, are, touched)) {
      const isKeptAlike = isSame(were.refused.get(rival), are.refused.get(rival));
      if (!isKeptAlike) renewLinksBetween(change, end, rival);
      if (!isSame(were.undecided.get(rival), are.undecided.get(rival))) unsettle(change, end, rival);
      const isOverwritten = are.refused.has(rival) && touched.has(rival);
      if (state.holds(rival) && (!isKeptAlike || isOverwritten)) restateReferences(change, rival);
    }
  }
}

/** Returns the rivals that a section may keep differently than before. */
function affectedBy(were: Decision, are: Decision, touched: ReadonlySet<Target>): Iterable<Target> {
  if (were.refused === are.refused && were.undecided === are.undecided) return touched;
  return new Set([were.refused, are.refused, were.undecided, are.undecided].flatMap((some) => [...some.keys()]));
}

function isSame(was: Refusal | undefined, is: Refusal | undefined): boolean {
  return was?.reason === is?.reason && was?.message === is?.message;
}

/** Records that the link between a section and a rival has become undecided, or decided. */
function unsettle(change: ChangeInProgress, end: Target, rival: Target): void {
  if (!change.state.holds(rival)) return;
  change.unsettle(rival);
  change.restate(rival);
  if (!change.isNew(end) && !change.gone.has(end)) change.changed.add(end);
}

/**
 * Renews the contest at a section, which begins anew if the section or something else that its rule depends on has changed, and ends if all rivals are
 * linked and of one kind.
 *
 * @returns The decision.
 */
function renewContest(change: ChangeInProgress, end: Target, were: Decision, touched: ReadonlySet<Target>): Decision {
  const { state } = change;
  const contestBefore = state.contests.get(end);
  const isOngoing = contestBefore !== undefined && contestBefore.section === end.section && !change.ruledAnew.has(end);
  const contest = isOngoing ? contestBefore : begun(state, end);
  if (!isOngoing && contestBefore !== undefined) state.lookup.forget(contestBefore);
  const isChanged = contest !== undefined && tell(state, contest, end, isOngoing ? touched : rivalsAt(state, end));
  if (isChanged) contest.decide();
  if (contest === undefined || (were.refused.size === 0 && contest.refused.size === 0 && !spansKinds(end.linksTo))) {
    if (contest !== undefined) state.lookup.forget(contest);
    state.contests.delete(end);
    return nothingDecided;
  }
  state.contests.set(end, contest);
  return contest;
}

/** Returns a contest without rivals; `undefined` if nothing is to be decided at a section. */
function begun(state: TopologyState, end: Target): Contest | undefined {
  const rivalry = rivalryAt(end);
  const { resource, section, linksTo } = end;
  if (rivalry === undefined || section === undefined || !state.holds(end)) return undefined;
  if (!spansKinds(linksTo) && !state.contests.has(end)) return undefined;
  const { lookup } = state;
  return new Contest(end, (contest) => lookup.ask(contest, () => rivalry.begin({ resource, section }, lookup)));
}

/** Returns whether targets in the order of locators are of several kinds: then the first and the last differ. O(1). */
function spansKinds(targets: readonly Target[]): boolean {
  return targets[0]?.kind !== targets.at(-1)?.kind;
}

/** Returns the targets that refer to a section, whether or not the section keeps them. */
function rivalsAt({ contests }: TopologyState, end: Target): ReadonlySet<Target> {
  return new Set([...end.linksTo, ...(contests.get(end)?.refused.keys() ?? [])]);
}

/** Tells a contest how its rivals have changed, and returns whether its decision may have changed. */
function tell(state: TopologyState, { resources, rivals }: Contest, end: Target, touched: Iterable<Target>): boolean {
  const { among = [] } = rivalryAt(end) ?? {};
  const goneResources: KubernetesObject[] = [];
  const came: KubernetesObject[] = [];
  for (const rival of touched) {
    const isThere = isAmong(among, rival) && state.holds(rival) && isIn(rival.above, end);
    const was = resources.get(rival);
    const resource = isThere ? rival.resource : undefined;
    if (was === resource) continue;
    if (was !== undefined) goneResources.push(was);
    if (resource === undefined) resources.delete(rival);
    else came.push(resource);
    if (resource !== undefined) resources.set(rival, resource);
  }
  return goneResources.length + came.length > 0 && rivals.change(goneResources, came);
}

function isAmong(kinds: readonly GroupKind[], { object: { kind: targetKind } }: Target): boolean {
  return kinds.some(({ group, kind }) => group === targetKind.group && kind === targetKind.kind);
}
