import type { ChangeRecord, TargetNode, Topology } from '@policy-machinery/topology';
import type { Affected } from '../answers/affected.ts';
import { emptySet } from '../collections/empty-set.ts';
import { isEqualList, isSameList } from '../collections/same.ts';
import type { Contexts } from '../contexts/contexts.ts';
import { namesParents } from '../contexts/named-ancestors.ts';
import { hasLevels, type Stack } from '../contexts/stack.ts';
import type { Level } from '../levels/level.ts';
import type { ChangedLevels } from '../levels/levels.ts';
import { aboveChanges } from './above.ts';
import { beneathChanges } from './beneath.ts';
import { EditedStacks } from './edited-stacks.ts';
import { followEdits } from './follow-edits.ts';
import { type KnownBefore, resettle } from './resettle.ts';

/** What a change of the topology did to the effective policies of a kind. Who is given it may add to it. */
export interface Followed<Spec> {
  /** The effective targets whose contexts have come, gone or changed. */
  readonly targets: Set<TargetNode>;
  /** All effective targets whose contexts were looked at again, and the stacks that they had, as far as those were known. */
  readonly lookedAt: Map<TargetNode, readonly Stack<Spec>[]>;
  /** Locators of the policies attached to anything that was looked at, unless all is in its place. */
  readonly policies: ReadonlySet<string>;
  /** The whole resources of which something else may be to be said: by which policies they are affected. */
  readonly objects: Set<TargetNode>;
  /** Where policies have changed in what they say alone: each stack of a context is where the one was whose place it has taken. */
  readonly edited: EditedStacks<Spec> | undefined;
}

/** What follows a topology. */
export interface Follower<Spec> {
  readonly topology: Topology;
  readonly contexts: Contexts<Spec>;
  readonly affected: Affected<Spec>;
  /** The locators of the policies that are attached to a target, or name a section of it that is not there. */
  readonly policiesAt: (target: TargetNode) => Iterable<string>;
  /** Whether what is merged follows from the levels of a context alone: targets say nothing themselves, and no verdict bars policies. */
  readonly mergesLevels: boolean;
  /** Whether ancestors are named with sections, as targets below them do. */
  readonly namesSections: boolean;
  /** Whether two stacks are of the very same policies, and of resources that have no other say in how these are merged. */
  readonly isMadeOfSame: (before: Stack<Spec>, now: Stack<Spec>) => boolean;
  /** Whether policies of the same names, as established as before, set something where there is one stack as where there was another. */
  readonly isSetBySame: (before: Stack<Spec>, now: Stack<Spec>) => boolean;
}

/**
 * Makes contexts follow changes. What may name its parents otherwise than before counts as changed, with all below.
 * O(targets that have changed, and targets and links below them).
 */
export function follow<Spec>(
  follower: Follower<Spec>,
  records: readonly ChangeRecord[],
  levels: ChangedLevels<Spec>,
): Followed<Spec> {
  const { topology, contexts } = follower;
  contexts.places.forgetKinds();
  contexts.forgetSets();
  const renamed = follower.namesSections ? records.flatMap(({ edited }) => [...edited].filter(namesParents)) : [];
  const beneath = beneathChanges(topology, records, [...levels.targets, ...renamed]);
  const edited = renamed.length > 0 ? undefined : editedStacks(follower, records, levels);
  const followed =
    edited === undefined
      ? followAnew(follower, records, levels.targets, beneath)
      : followEdits(follower, beneath, edited);
  const { objects } = followed;
  for (const { namespace } of objects) if (namespace !== undefined) objects.add(namespace);
  for (const { came, changed, gone } of records) {
    for (const some of [came, changed, gone]) for (const { object } of some) objects.add(object);
  }
  for (const level of levels.gone) contexts.places.held.forget(level);
  return { ...followed, edited };
}

/** The stacks where no links, targets or attachments have changed, but only what policies say; else `undefined`. */
function editedStacks<Spec>(
  { contexts, mergesLevels }: Follower<Spec>,
  records: readonly ChangeRecord[],
  { targets, gone }: ChangedLevels<Spec>,
): EditedStacks<Spec> | undefined {
  if (!mergesLevels) return undefined;
  if (hasOtherLinks(records)) return undefined;
  const now = [...targets].flatMap((target) => contexts.levelsAt(target));
  if (!isEqualList(gone, now, isLikeLevel)) return undefined;
  const levels = new Map(gone.map((level, index) => [level, now[index] as Level<Spec>]));
  return new EditedStacks(contexts.places.stacks, levels);
}

/** Whether targets or links have come or gone. */
function hasOtherLinks(records: readonly ChangeRecord[]): boolean {
  return records.some(({ came, entered, gone }) => came.length + entered.size + gone.size > 0);
}

/** Whether two levels are of policies of the same names. */
function isLikeLevel<Spec>(a: Level<Spec>, b: Level<Spec>): boolean {
  const { target, via, policies } = a;
  if (a.barred.size + b.barred.size > 0) return false;
  return target === b.target && via === b.via && isEqualList(policies, b.policies, (p, q) => p.locator === q.locator);
}

/** Forgets what may have changed, and finds it anew. */
function followAnew<Spec>(
  follower: Follower<Spec>,
  records: readonly ChangeRecord[],
  levels: ReadonlySet<TargetNode>,
  beneath: ReadonlySet<TargetNode>,
): Omit<Followed<Spec>, 'edited'> {
  const { topology, contexts, affected, policiesAt } = follower;
  const before = new Map<TargetNode, KnownBefore<Spec>>();
  for (const target of beneath) {
    before.set(target, { places: contexts.knownPlaces(target), stacks: contexts.found(target) });
  }
  const unknown = unknownBefore(contexts, records, beneath);
  for (const target of beneath) contexts.forget(target); // What is known of sections may be kept with their objects.

  const targets = new Set(unknown);
  const policies = new Set<string>();
  const lookedAt = new Map<TargetNode, readonly Stack<Spec>[]>();
  for (const [target, { stacks = [] }] of before) {
    for (const locator of policiesAt(target)) policies.add(locator);
    if (!contexts.isWanted(target)) continue;
    const now = topology.get(target) === target ? contexts.of(target) : [];
    if (!areSameContexts(follower, stacks, now)) targets.add(target);
    lookedAt.set(target, stacks);
  }
  // What nobody has asked for cannot be compared.
  const isComparable = unknown.length === 0 && affected.isKnown;
  const mayBeAbove =
    isComparable || !(levels.size > 0 || hasOtherLinks(records)) ? emptySet : aboveChanges(topology, records, levels);
  if (unknown.length > 0) {
    for (const target of mayBeAbove) for (const locator of policiesAt(target)) policies.add(locator);
  }
  const above = affected.isKnown ? resettle({ topology, contexts, affected }, records, before) : emptySet;
  return { targets, policies, lookedAt, objects: objectsOf(beneath, above, affected.isKnown ? emptySet : mayBeAbove) };
}

function objectsOf(...all: readonly Iterable<TargetNode>[]): Set<TargetNode> {
  const objects = new Set<TargetNode>();
  for (const targets of all) for (const { object } of targets) objects.add(object);
  return objects;
}

/** The effective targets that were there before, and for whose contexts nobody had asked: these may have been others. */
function unknownBefore<Spec>(
  contexts: Contexts<Spec>,
  records: readonly ChangeRecord[],
  beneath: ReadonlySet<TargetNode>,
): readonly TargetNode[] {
  const unknown = [...beneath].filter((target) => contexts.isWanted(target) && !contexts.isFound(target));
  if (unknown.length === 0) return unknown;
  const came = new Set<TargetNode>(records.flatMap((record) => record.came));
  return unknown.filter((target) => !came.has(target));
}

/** Whether two lists are of the same contexts, those that policies reach in the same order. */
function areSameContexts<Spec>(
  { contexts, isMadeOfSame }: Follower<Spec>,
  before: readonly Stack<Spec>[],
  now: readonly Stack<Spec>[],
): boolean {
  if (isSameList(before, now)) return true;
  if (before.length !== now.length) return false;
  const { held } = contexts.places;
  const reached = (stacks: readonly Stack<Spec>[]) => stacks.map((stack) => held.of(stack)).filter(hasLevels);
  return isEqualList(reached(before), reached(now), isMadeOfSame);
}
