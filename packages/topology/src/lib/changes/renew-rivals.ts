import type { GroupKind, KubernetesObject } from '@policy-machinery/resource';
import type { Refusal } from '../model/reference.ts';
import type { Rivals } from '../model/rivalry.ts';
import { isIn } from '../targets/sorted.ts';
import { rivalryAt, type Target } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { restateReferences } from './renew-links.ts';
import { renewLinksBetween } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

/** The rivals at a section that targets of several kinds refer to. */
export interface Contest {
  /** The section as it was when the contest began. */
  readonly section: Target['section'];
  readonly rivals: Rivals;
  /** The resource of each rival, as `rivals` knows it. */
  readonly resources: Map<Target, KubernetesObject>;
  /** The rivals that the section does not keep. */
  refused: ReadonlyMap<Target, Refusal>;
}

/** Decides which rivals the touched sections keep, and links only these. O(touched rivals), besides what the sections' rules cost. */
export function renewRivals(change: ChangeInProgress): void {
  const { state } = change;
  for (const [end, touched] of change.rivals) {
    const were = state.contests.get(end)?.refused ?? noRivals;
    const are = renewContest(state, end, were, touched);
    const affected = were === are ? touched : new Set([...were.keys(), ...are.keys()]);
    for (const rival of affected) {
      const [was, is] = [were.get(rival), are.get(rival)];
      const isSame = was?.reason === is?.reason && was?.message === is?.message;
      if (!isSame) renewLinksBetween(change, end, rival);
      const isOverwritten = is !== undefined && touched.has(rival);
      if (state.holds(rival) && (!isSame || isOverwritten)) restateReferences(change, rival);
    }
  }
}

const noRivals: ReadonlyMap<Target, Refusal> = new Map();

/**
 * Renews the contest at a section, which begins anew if the section has changed, and ends if all rivals are linked and of one kind.
 *
 * @returns The rivals that the section does not keep.
 */
function renewContest(
  state: TopologyState,
  end: Target,
  were: Contest['refused'],
  touched: ReadonlySet<Target>,
): Contest['refused'] {
  const before = state.contests.get(end);
  const isOngoing = before !== undefined && before.section === end.section;
  const contest = isOngoing ? before : begun(state, end);
  const isChanged = contest !== undefined && tell(state, contest, end, isOngoing ? touched : rivalsAt(state, end));
  if (contest !== undefined && isChanged) contest.refused = refusedIn(contest);
  if (contest === undefined || (were.size === 0 && contest.refused.size === 0 && !spansKinds(end.linksTo))) {
    state.contests.delete(end);
    return noRivals;
  }
  state.contests.set(end, contest);
  return contest.refused;
}

/** Returns a contest without rivals; `undefined` if nothing is to be decided at a section. */
function begun(state: TopologyState, end: Target): Contest | undefined {
  const rivalry = rivalryAt(end);
  const { resource, section, linksTo } = end;
  if (rivalry === undefined || section === undefined || !state.holds(end)) return undefined;
  if (!spansKinds(linksTo) && !state.contests.has(end)) return undefined;
  return { section, rivals: rivalry.begin({ resource, section }), resources: new Map(), refused: noRivals };
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
  const gone: KubernetesObject[] = [];
  const came: KubernetesObject[] = [];
  for (const rival of touched) {
    const isThere = isAmong(among, rival) && state.holds(rival) && isIn(rival.above, end);
    const was = resources.get(rival);
    const now = isThere ? rival.resource : undefined;
    if (was === now) continue;
    if (was !== undefined) gone.push(was);
    if (now === undefined) resources.delete(rival);
    else came.push(now);
    if (now !== undefined) resources.set(rival, now);
  }
  return gone.length + came.length > 0 && rivals.change(gone, came);
}

function isAmong(kinds: readonly GroupKind[], { object: { kind: own } }: Target): boolean {
  return kinds.some(({ group, kind }) => group === own.group && kind === own.kind);
}

function refusedIn({ resources, rivals }: Contest): Contest['refused'] {
  const refused = new Map<Target, Refusal>();
  for (const [rival, resource] of resources) {
    const refusal = rivals.refused.get(resource);
    if (refusal !== undefined) refused.set(rival, refusal);
  }
  return refused;
}
