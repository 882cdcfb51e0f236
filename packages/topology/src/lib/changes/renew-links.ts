import type { Issue } from '@policy-machinery/resource';
import {
  type DanglingReferences,
  isSameDangling,
  type RefusedReference,
  type UnresolvedReference,
} from '../model/dangling-references.ts';
import { unreadable } from '../model/read-safely.ts';
import type { Reference } from '../model/reference.ts';
import { type PolicyRefs, readPolicyRefs } from '../references/policy-refs.ts';
import { refusalIssue } from '../references/refusal-issue.ts';
import type { Relaying } from '../references/relays.ts';
import { type Resolution, resolveReference } from '../references/resolve.ts';
import { SectionAllowance } from '../references/section-allowance.ts';
import { shareEnds, unshareEnds } from '../targets/links.ts';
import { hasPartOf, inOrder } from '../targets/sorted.ts';
import { SectionTarget, type Target, type WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { renewLinksBetween, reopen } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

/** Resolves again the references of all that are stale, and links what they lead to. */
export function renewLinks(state: TopologyState, record: ChangeInProgress): void {
  const renew = (target: Target): void => renewReferences(state, target, record);
  /** Whether the ends of references tell that they depend on a resource: not where links to these may be closed. */
  const isKnownByEnds = (target: Target, object: WholeTarget): boolean =>
    !state.relays.has(target) && (hasPartOf(target.below, object) || hasPartOf(target.above, object));
  for (const target of record.stale) {
    reopen(state, target, record);
    if (state.holds(target)) state.lookup.ask(target, renew, isKnownByEnds);
    else letGo(state, target, record);
  }
  for (const target of record.came) state.lookup.ask(target, renew, isKnownByEnds);
  for (const target of state.selectionLimits.takeChanged()) state.lookup.ask(target, renew, isKnownByEnds);
}

function letGo(state: TopologyState, target: Target, record: ChangeInProgress): void {
  state.lookup.forget(target);
  state.selectionLimits.finish(target);
  setEnds(state, target, none, none, record);
  setRelays(state, target, none, record);
  state.dangling.delete(target);
  setPolicyRefs(state, target, new Map(), [], record);
  record.report(state.issues.set('links', target, []));
}

function renewReferences(state: TopologyState, target: Target, record: ChangeInProgress): void {
  let above = noEnds;
  let below = noEnds;
  let dangling: Resolution[] | undefined;
  let relaying: Relaying[] | undefined;
  let issues: readonly Issue[] = none;
  let isRestated = false;
  const allowance = new SectionAllowance();
  try {
    for (const reference of referencesOf(target)) {
      const resolution = resolveReference(target, reference, state.lookup, allowance);
      if (reference.withoutLink === true) {
        isRestated = true;
        continue;
      }
      if (reference.direction === 'up') above = joined(above, resolution.ends);
      else below = joined(below, resolution.ends);
      if (isRelaying(reference)) {
        relaying ??= [];
        relaying.push({ reference, ends: resolution.ends, value: undefined, open: noTargets });
      }
      if (!isDangling(resolution)) continue;
      if (dangling === undefined) dangling = [resolution];
      else dangling.push(resolution);
    }
  } catch (error) {
    above = noEnds;
    below = noEnds;
    dangling = undefined;
    relaying = undefined;
    issues = [unreadable(target.locator, error)];
  }
  state.selectionLimits.finish(target);
  setEnds(state, target, inOrder(above.all), inOrder(below.all), record);
  if (relaying !== undefined || state.relays.size > 0) setRelays(state, target, relaying ?? none, record);
  if (dangling !== undefined) issues = refusalIssues(target, dangling);
  const now = dangling && danglingReferences(target, dangling);
  const before = state.dangling.size > 0 ? state.dangling.get(target) : undefined;
  if (now !== undefined) state.dangling.set(target, now);
  else if (before !== undefined) state.dangling.delete(target);
  if (!record.isNew(target) && (isRestated || !isSameDangling(before, now))) record.restated.add(target);
  record.report(state.issues.set('links', target, issues));
  if (state.kinds.hasPolicyRefs) {
    const read = readPolicyRefs(target, state);
    setPolicyRefs(state, target, read.policyRefs, read.issues, record);
  }
}

function isRelaying(reference: Reference): reference is Relaying['reference'] {
  return reference.relay !== undefined;
}

function isDangling({ missing, refusals }: Resolution): boolean {
  return missing !== undefined || refusals.length > 0;
}

/** What is wrong with those of them that lead nowhere because they are refused. */
function refusalIssues(from: Target, dangling: readonly Resolution[]): readonly Issue[] {
  const refused = dangling.filter(({ ends, refusals }) => ends.length === 0 && refusals.length > 0);
  return refused.map(({ reference, refusals }) => refusalIssue(from, reference, refusals));
}

function danglingReferences(from: Target, dangling: readonly Resolution[]): DanglingReferences {
  const unresolved: UnresolvedReference[] = [];
  const refused: RefusedReference[] = [];
  for (const { reference, missing, refusals } of dangling) {
    if (missing !== undefined) unresolved.push({ from, reference, missing });
    for (const refusal of refusals) refused.push({ from, reference, ...refusal });
  }
  return { unresolved, refused };
}

const none: readonly never[] = [];
const noTargets: ReadonlySet<never> = new Set();

/** What references lead to: what several lead to, as often. */
interface Ends {
  readonly all: readonly Target[];
  /** The same list if no one else has it, and so it may grow. Usually there is one reference, whose list will do. */
  readonly own?: Target[];
}

const noEnds: Ends = { all: none };

function joined(ends: Ends, more: readonly Target[]): Ends {
  if (more.length === 0) return ends;
  if (ends.all.length === 0) return { all: more };
  const own = ends.own ?? [...ends.all];
  for (const target of more) own.push(target);
  return ends.own === undefined ? { all: own, own } : ends;
}

/** The references of a target, and what they lead to; none where they cannot be read. */
export function resolvedReferences(
  { lookup, selectionLimits }: Pick<TopologyState, 'lookup' | 'selectionLimits'>,
  target: Target,
): readonly Resolution[] {
  try {
    const allowance = new SectionAllowance();
    return referencesOf(target).map((reference) => resolveReference(target, reference, lookup, allowance));
  } catch {
    return none;
  } finally {
    selectionLimits.finish(target);
  }
}

function referencesOf(target: Target): readonly Reference[] {
  const references =
    target instanceof SectionTarget
      ? target.kind.references(target.place, target.resource)
      : target.object.kind.references(target.resource);
  return Array.isArray(references) ? (references as readonly Reference[]) : [...references];
}

function setEnds(
  state: TopologyState,
  target: Target,
  above: readonly Target[],
  below: readonly Target[],
  record: ChangeInProgress,
): void {
  const { above: wereAbove, below: wereBelow } = target;
  unshareEnds(target);
  target.above = above;
  target.below = below;
  for (const end of differing(wereAbove, above)) renewLinksBetween(state, end, target, record, wereAbove.length === 0);
  for (const end of differing(wereBelow, below)) renewLinksBetween(state, target, end, record, wereBelow.length === 0);
  shareEnds(target);
}

function differing(before: readonly Target[], now: readonly Target[]): readonly Target[] {
  if (before.length === 0) return now;
  if (before.length === now.length && before.every((target, index) => target === now[index])) return none;
  const [old, young] = [new Set(before), new Set(now)];
  return [...before.filter((target) => !young.has(target)), ...now.filter((target) => !old.has(target))];
}

function setPolicyRefs(
  state: TopologyState,
  target: Target,
  policyRefs: PolicyRefs,
  issues: readonly Issue[],
  record: ChangeInProgress,
): void {
  const before = state.policyRefs.get(target);
  for (const named of [before, policyRefs]) for (const policy of named?.keys() ?? []) record.stalePolicies.add(policy);
  if (policyRefs.size > 0) state.policyRefs.set(target, policyRefs);
  else if (before !== undefined) state.policyRefs.delete(target);
  record.report(state.issues.set('policyRefs', target, issues));
}

/** Notes the relaying references of a target, which are decided when all links are there. */
function setRelays(
  state: TopologyState,
  holder: Target,
  relaying: readonly Relaying[],
  record: ChangeInProgress,
): void {
  if (relaying.length > 0) {
    state.relays.set(holder, { relaying, dangling: state.relays.get(holder)?.dangling });
    record.relaying.add(holder);
  } else if (state.relays.delete(holder)) record.report(state.issues.set('relays', holder, []));
}
