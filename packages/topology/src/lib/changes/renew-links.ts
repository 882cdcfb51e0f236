import type { Issue } from '@policy-machinery/resource';
import {
  isSameVain,
  type RefusedReference,
  type UnresolvedReference,
  type VainReferences,
} from '../model/dangling-references.ts';
import { unreadable } from '../model/read-safely.ts';
import type { Reference } from '../model/reference.ts';
import { type Namings, namingsOf } from '../references/policy-refs.ts';
import { refusalIssue } from '../references/refusal-issue.ts';
import type { Relaying } from '../references/relays.ts';
import { type Resolution, resolveReference } from '../references/resolve.ts';
import { SectionAllowance } from '../references/section-allowance.ts';
import { shareEnds, unshareEnds } from '../targets/links.ts';
import { hasPartOf, inOrder } from '../targets/sorted.ts';
import { SectionTarget, type Target, type WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { reopen, settleLinks } from './settle-links.ts';
import type { World } from './topology-state.ts';

/** Resolves anew the references of all that are stale, and links what they lead to. */
export function renewLinks(world: World, record: ChangeInProgress): void {
  const renew = (target: Target): void => renewReferences(world, target, record);
  /** Whether the ends of references tell that they depend on a resource: not where links to these may be closed. */
  const isTold = (target: Target, object: WholeTarget): boolean =>
    !world.relays.has(target) && (hasPartOf(target.beneath, object) || hasPartOf(target.above, object));
  for (const target of record.stale) {
    reopen(world, target, record);
    if (world.holds(target)) world.lookup.ask(target, renew, isTold);
    else letGo(world, target, record);
  }
  for (const target of record.came) world.lookup.ask(target, renew, isTold);
  for (const target of world.turns.settle()) world.lookup.ask(target, renew, isTold);
}

function letGo(world: World, target: Target, record: ChangeInProgress): void {
  world.lookup.forget(target);
  world.turns.finish(target);
  setEnds(world, target, none, none, record);
  setRelays(world, target, none, record);
  world.vain.delete(target);
  setNamings(world, target, new Map(), [], record);
  record.report(world.issues.set('links', target, []));
}

function renewReferences(world: World, target: Target, record: ChangeInProgress): void {
  let above = noEnds;
  let beneath = noEnds;
  let vain: Resolution[] | undefined;
  let relaying: Relaying[] | undefined;
  let issues: readonly Issue[] = none;
  let isRestated = false;
  const allowance = new SectionAllowance();
  try {
    for (const reference of referencesOf(target)) {
      const resolution = resolveReference(target, reference, world.lookup, allowance);
      if (reference.withoutLink === true) {
        isRestated = true;
        continue;
      }
      if (reference.direction === 'up') above = joined(above, resolution.ends);
      else beneath = joined(beneath, resolution.ends);
      if (isRelaying(reference)) {
        relaying ??= [];
        relaying.push({ reference, ends: resolution.ends, value: undefined, open: noTargets });
      }
      if (!isVain(resolution)) continue;
      if (vain === undefined) vain = [resolution];
      else vain.push(resolution);
    }
  } catch (error) {
    above = noEnds;
    beneath = noEnds;
    vain = undefined;
    relaying = undefined;
    issues = [unreadable(target.locator, error)];
  }
  world.turns.finish(target);
  setEnds(world, target, inOrder(above.all), inOrder(beneath.all), record);
  if (relaying !== undefined || world.relays.size > 0) setRelays(world, target, relaying ?? none, record);
  if (vain !== undefined) issues = refusalIssues(target, vain);
  const now = vain && vainReferences(target, vain);
  const before = world.vain.size > 0 ? world.vain.get(target) : undefined;
  if (now !== undefined) world.vain.set(target, now);
  else if (before !== undefined) world.vain.delete(target);
  if (!record.isNew(target) && (isRestated || !isSameVain(before, now))) record.restated.add(target);
  record.report(world.issues.set('links', target, issues));
  if (world.kinds.hasPolicyRefs) {
    const namings = namingsOf(target, world);
    setNamings(world, target, namings.namings, namings.issues, record);
  }
}

function isRelaying(reference: Reference): reference is Relaying['reference'] {
  return reference.relay !== undefined;
}

function isVain({ missing, refusals }: Resolution): boolean {
  return missing !== undefined || refusals.length > 0;
}

/** What is wrong with those of them that lead nowhere because they are refused. */
function refusalIssues(from: Target, vain: readonly Resolution[]): readonly Issue[] {
  const refused = vain.filter(({ ends, refusals }) => ends.length === 0 && refusals.length > 0);
  return refused.map(({ reference, refusals }) => refusalIssue(from, reference, refusals));
}

function vainReferences(from: Target, vain: readonly Resolution[]): VainReferences {
  const unresolved: UnresolvedReference[] = [];
  const refused: RefusedReference[] = [];
  for (const { reference, missing, refusals } of vain) {
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
  /** The same list if it is nobody else's, and so may grow. As a rule there is one reference, whose list will do. */
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
  { lookup, turns }: Pick<World, 'lookup' | 'turns'>,
  target: Target,
): readonly Resolution[] {
  try {
    const allowance = new SectionAllowance();
    return referencesOf(target).map((reference) => resolveReference(target, reference, lookup, allowance));
  } catch {
    return none;
  } finally {
    turns.finish(target);
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
  world: World,
  target: Target,
  above: readonly Target[],
  beneath: readonly Target[],
  record: ChangeInProgress,
): void {
  const { above: wereAbove, beneath: wereBeneath } = target;
  unshareEnds(target);
  target.above = above;
  target.beneath = beneath;
  for (const end of differing(wereAbove, above)) settleLinks(world, end, target, record, wereAbove.length === 0);
  for (const end of differing(wereBeneath, beneath)) settleLinks(world, target, end, record, wereBeneath.length === 0);
  shareEnds(target);
}

function differing(before: readonly Target[], now: readonly Target[]): readonly Target[] {
  if (before.length === 0) return now;
  if (before.length === now.length && before.every((target, index) => target === now[index])) return none;
  const [old, young] = [new Set(before), new Set(now)];
  return [...before.filter((target) => !young.has(target)), ...now.filter((target) => !old.has(target))];
}

function setNamings(
  world: World,
  target: Target,
  namings: Namings,
  issues: readonly Issue[],
  record: ChangeInProgress,
): void {
  const before = world.named.get(target);
  for (const named of [before, namings]) for (const policy of named?.keys() ?? []) record.stalePolicies.add(policy);
  if (namings.size > 0) world.named.set(target, namings);
  else if (before !== undefined) world.named.delete(target);
  record.report(world.issues.set('policyRefs', target, issues));
}

/** Notes the relaying references of a target, which are decided when all links are there. */
function setRelays(world: World, holder: Target, relaying: readonly Relaying[], record: ChangeInProgress): void {
  if (relaying.length > 0) {
    world.relays.set(holder, { relaying, vain: world.relays.get(holder)?.vain });
    record.relaying.add(holder);
  } else if (world.relays.delete(holder)) record.report(world.issues.set('relays', holder, []));
}
