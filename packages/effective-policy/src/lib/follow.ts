import type { Policy } from '@policy-machinery/policy-kind';
import { type ChangeRecord, canBeEntered, type TargetNode, type Topology } from '@policy-machinery/topology';
import { type Affected, nobody } from './affected.ts';
import type { Contexts } from './contexts.ts';
import { EditedStacks } from './edited-stacks.ts';
import type { Level } from './level.ts';
import type { ChangedLevels } from './levels.ts';
import type { Place, Spot } from './place.ts';
import { isEqualList, isSameList, isSameSet } from './same.ts';
import { policiesOf, type Stack } from './stack.ts';

/** What a change of the topology did to the effective policies of a kind. */
export interface Followed<Spec> {
  /** The effective targets whose contexts have come, gone or changed. */
  readonly targets: ReadonlySet<TargetNode>;
  /** All effective targets whose contexts were looked at again, and the stacks that they had, as far as those were known. */
  readonly lookedAt: ReadonlyMap<TargetNode, readonly Stack<Spec>[]>;
  /** Locators of the policies attached to anything that was looked at, unless all is in its place. */
  readonly policies: ReadonlySet<string>;
  /** The whole resources of which something else may be to be said: by which policies they are affected. */
  readonly objects: ReadonlySet<TargetNode>;
  /** The stacks of contexts where policies have changed in what they say alone: each is where the one was whose place it has taken. */
  readonly edited: EditedStacks<Spec> | undefined;
}

/** What follows a topology. */
export interface Follower<Spec> {
  readonly topology: Topology;
  readonly contexts: Contexts<Spec>;
  readonly affected: Affected<Spec>;
  readonly policiesAt: (target: TargetNode) => Iterable<{ readonly locator: string }>;
  /** Whether targets say something themselves. */
  readonly targetsSpeak: boolean;
  /** Whether policies of the same names set something where there is one stack as where there was another. */
  readonly isSetBySame: (before: Stack<Spec>, now: Stack<Spec>) => boolean;
}

/** Makes contexts follow changes. O(targets that have changed, and targets and links beneath them). */
export function follow<Spec>(
  follower: Follower<Spec>,
  records: readonly ChangeRecord[],
  levels: ChangedLevels<Spec>,
): Followed<Spec> {
  const { topology, contexts, affected, policiesAt } = follower;
  contexts.places.forgetKinds();
  contexts.forgetSets();
  const beneath = allBeneath(startsOf(topology, records, levels));
  const before = new Map<TargetNode, Before<Spec>>();
  for (const target of beneath) {
    before.set(target, { places: knownPlaces(contexts, target), stacks: contexts.found(target) });
  }
  const edited = editedStacks(contexts, records, levels);
  const isInPlace = edited !== undefined && !follower.targetsSpeak;
  // What is known of sections may be kept with their objects: it has been looked up before.
  for (const target of beneath) {
    if (edited === undefined) contexts.forget(target);
    else contexts.edit(target, edited);
  }

  const targets = new Set<TargetNode>();
  const policies = new Set<string>();
  const lookedAt = new Map<TargetNode, readonly Stack<Spec>[]>();
  for (const [target, { stacks = [] }] of before) {
    if (!isInPlace) for (const { locator } of policiesAt(target)) policies.add(locator);
    if (!contexts.isWanted(target)) continue;
    const now = isInPlace || topology.get(target) === target ? contexts.of(target) : [];
    if (!isSameList(stacks, now)) targets.add(target);
    lookedAt.set(target, stacks);
  }
  const unsettled = isInPlace && affected.isKnown ? unsettledTargets(follower, before) : beneath;
  const isSettled = isInPlace && unsettled.size === 0;
  const above = isSettled ? nobody : resettle(follower, records, before, unsettled);
  const objects = new Set<TargetNode>([...unsettled, ...above].map(({ object }) => object));
  for (const { namespace } of [...objects]) if (namespace !== undefined) objects.add(namespace);
  for (const { came, changed, gone } of records) {
    for (const some of [came, changed, gone]) for (const { object } of some) objects.add(object);
  }
  for (const level of levels.gone) contexts.places.stacks.forget(level);
  return { targets, lookedAt, policies, objects, edited: isInPlace ? edited : undefined };
}

/** What was known of a target. */
interface Before<Spec> {
  readonly places: readonly Place<Spec>[];
  readonly stacks: readonly Stack<Spec>[] | undefined;
}

function knownPlaces<Spec>({ places }: Contexts<Spec>, node: TargetNode): readonly Place<Spec>[] {
  const ways = node.section === undefined ? [true] : [true, false];
  return ways.map((entered) => places.known({ node, entered })).filter((place) => place !== undefined);
}

/** The targets at which paths may arrive in another way, or with other levels, than before. */
function startsOf<Spec>(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: ChangedLevels<Spec>,
): ReadonlySet<TargetNode> {
  const starts = new Set<TargetNode>();
  const add = (target: TargetNode): void => {
    starts.add(target);
    // By which of its sections an object is entered decides where paths begin.
    starts.add(target.object);
    for (const section of target.object.sections) starts.add(section);
  };
  for (const { came, entered, gone, changed } of records) {
    for (const some of [came, entered, gone]) for (const target of some) add(target);
    // Who has entered a section goes on by the links of its object.
    for (const target of changed) if (target.object.sections.some(canBeEntered)) add(target.object);
  }
  for (const target of levels.targets) {
    starts.add(target);
    for (const member of topology.membersOf(target)) add(member);
  }
  return starts;
}

/** Some targets and all beneath them. */
function allBeneath(starts: ReadonlySet<TargetNode>): ReadonlySet<TargetNode> {
  const found = new Set(starts);
  for (const target of found) {
    const { sections, linksTo, section, object } = target;
    for (const next of sections) found.add(next); // The loop goes on to what is added.
    for (const next of linksTo) {
      found.add(next);
      found.add(next.object); // It is passed on the way.
    }
    if (section !== undefined && object.linksTo.length > 0 && canBeEntered(target)) {
      for (const next of object.linksTo) found.add(next);
    }
  }
  return found;
}

/** The stacks where no links, targets or attachments have changed, but only what policies say; else `undefined`. */
function editedStacks<Spec>(
  contexts: Contexts<Spec>,
  records: readonly ChangeRecord[],
  { targets, gone }: ChangedLevels<Spec>,
): EditedStacks<Spec> | undefined {
  if (records.some(({ came, entered, gone: left }) => came.length + entered.size + left.size > 0)) return undefined;
  const now = [...targets].flatMap((target) => contexts.levelsAt(target));
  if (!isEqualList(gone, now, isLikeLevel)) return undefined;
  const levels = new Map(gone.map((level, index) => [level, now[index] as Level<Spec>]));
  return new EditedStacks(contexts.places.stacks, levels);
}

/**
 * The targets that other policies than before may affect, where each context is in its place: those that lead to contexts where
 * others set something.
 */
function unsettledTargets<Spec>(
  { contexts, isSetBySame }: Follower<Spec>,
  before: ReadonlyMap<TargetNode, Before<Spec>>,
): ReadonlySet<TargetNode> {
  const same = new Map<Stack<Spec>, Stack<Spec>>();
  const isSame = (old: Stack<Spec>, young: Stack<Spec>): boolean => {
    if (old === young || same.get(old) === young) return true;
    if (!isSetBySame(old, young)) return false;
    same.set(old, young);
    return true;
  };
  const found = new Set<TargetNode>();
  for (const [target, { stacks = [] }] of before) {
    if (!contexts.isWanted(target)) continue;
    if (!isEqualList(stacks, contexts.of(target), isSame)) found.add(target);
  }
  for (const { object } of found) {
    for (const node of [object, ...object.sections]) {
      if (!before.has(node)) continue;
      found.add(node); // The loop goes on to what is added.
      for (const parent of node.linksFrom) if (before.has(parent)) found.add(parent);
    }
  }
  return found;
}

/** Whether two levels are of policies of the same names. */
function isLikeLevel<Spec>(a: Level<Spec>, b: Level<Spec>): boolean {
  const { target, via, policies } = a;
  return target === b.target && via === b.via && isEqualList(policies, b.policies, (p, q) => p.locator === q.locator);
}

/**
 * Works out anew who sets something at or beneath targets above those that have changed, as far as that was known, and only
 * while it makes a difference.
 *
 * @param before What was known of those that have changed.
 * @param unsettled Those of them at or beneath which others may set something.
 * @returns The targets where it does.
 */
function resettle<Spec>(
  { topology, contexts, affected }: Follower<Spec>,
  records: readonly ChangeRecord[],
  before: ReadonlyMap<TargetNode, Before<Spec>>,
  unsettled: ReadonlySet<TargetNode>,
): ReadonlySet<TargetNode> {
  const different = new Set<TargetNode>();
  if (!affected.isKnown) return different;
  const pending: Spot<Spec>[] = [];
  for (const { changed } of records) {
    for (const target of changed) {
      if (before.has(target) || topology.get(target) !== target || !contexts.places.leadsThere(target)) continue;
      for (const place of contexts.placesOf(target)) pending.push(...(place.spots ?? []));
    }
  }
  for (const target of unsettled) {
    if (topology.get(target) !== target || !contexts.places.leadsThere(target)) continue;
    const { places = [] } = before.get(target) ?? {};
    for (const now of contexts.placesOf(target)) {
      const old = places.find(({ entered }) => entered === now.entered);
      pending.push(...spotsAbove(contexts, affected, { old, now }, before));
    }
  }
  for (let spot = pending.pop(); spot !== undefined; spot = pending.pop()) {
    const { setters } = spot;
    spot.setters = undefined;
    const now = affected.settersAt(spot);
    if (setters !== undefined && isSameSet(setters, now)) continue;
    different.add(spot.place.node);
    pending.push(...contexts.before(spot));
  }
  return different;
}

/** The spots above a place, beyond all that has changed, for which it makes a difference that the place has changed. */
function spotsAbove<Spec>(
  contexts: Contexts<Spec>,
  affected: Affected<Spec>,
  { old, now }: { readonly old: Place<Spec> | undefined; readonly now: Place<Spec> },
  before: ReadonlyMap<TargetNode, Before<Spec>>,
): readonly Spot<Spec>[] {
  const { places } = contexts;
  const { node, entered } = now;
  const passesObject = entered && node.section !== undefined && contexts.isWanted(node.object);
  return places.before(now).flatMap((above) => {
    if (before.has(above.node)) return [];
    return (above.spots ?? []).filter((spot) => {
      if (spot.stack.level === undefined) return false;
      if (passesObject) return true;
      const [was, is] = [old, now].map((place) => place?.with(places.after(spot.stack, place.met)));
      const setters = is === undefined ? undefined : affected.settersAt(is);
      if (was !== undefined && was.setters === undefined) return true; // Nobody has asked since the last change.
      if (isSameSet(was?.setters ?? nobody, setters ?? nobody)) return false;
      const met = policiesOf(spot.stack);
      return !isSameSet(among(was?.setters, met), among(setters, met));
    });
  });
}

function among<Spec>(
  setters: ReadonlySet<Policy<Spec>> | undefined,
  met: ReadonlySet<Policy<Spec>>,
): ReadonlySet<Policy<Spec>> {
  return new Set([...(setters ?? [])].filter((policy) => met.has(policy)));
}
