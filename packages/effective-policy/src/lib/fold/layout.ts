import type { Layer, PolicyKind } from '@policy-machinery/policy-kind';
import { depthOf, type Stack } from '../contexts/stack.ts';
import type { Level } from '../levels/level.ts';
import { isOwnLayer } from '../levels/own-value.ts';
import { type ChoiceRules, choiceOf, groupEnd } from './choice.ts';
import type { Part } from './part.ts';

/** A layer in its place in a context. */
export interface PlacedLayer<Spec> extends Layer<Spec> {
  /** The layer itself: the same one wherever its policy is met. */
  readonly layer: Layer<Spec>;
  /** The target that its policy is attached to. */
  readonly level: Level<Spec>;
  /** Place of the level in the context; 0 is the least specific. */
  readonly depth: number;
  /** The layer whose strategy applies when this one meets what lies beneath it: itself, or an older one of its level. */
  readonly dictatedBy: Layer<Spec>;
  /** @internal What it says by itself, when it has been read. */
  part: Part<Spec> | undefined;
}

/** The layers of a context, in order. */
export interface Layout<Spec> {
  /** Those that are merged, the first one first. */
  readonly layers: readonly PlacedLayer<Spec>[];
  /** Those of levels that are not merged with others, since only the closest parent is (E-02). */
  readonly leftOut: readonly PlacedLayer<Spec>[];
}

/** A layer in conflict with another of its level. */
export interface Rejection<Spec> {
  readonly layer: PlacedLayer<Spec>;
  readonly by: PlacedLayer<Spec>;
}

/**
 * The layers of a context in the order in which they are merged: from the most specific level upwards, each established
 * over all before it (M-09).
 *
 * A policy that is met on several levels counts once: where it is least specific if it prevails over what lies beneath it,
 * else where it is most specific. What the target says itself stands where its kind says.
 */
export function layOut<Spec>(
  stack: Stack<Spec>,
  rules: ChoiceRules & Pick<PolicyKind<unknown>, 'ownValueStands' | 'reduction'>,
): Layout<Spec> {
  const met: PlacedLayer<Spec>[] = [];
  let depth = depthOf(stack);
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) {
    depth -= 1;
    for (const layer of placedOn(at.level, depth).layers) met.push(layer);
  }
  const used = rules.reduction === 'closest-parent' ? closest(met) : met;
  const layers = onceEach(used, rules);
  const leftOut = used === met ? none : onceEach(withoutLayers(met, used), rules);
  if (rules.ownValueStands === 'beneath') return { layers, leftOut };
  const raisedLast = [...layers.filter((it) => !isOwnLayer(it)), ...raised(layers.filter(isOwnLayer))];
  return { layers: raisedLast, leftOut };
}

/** The layers that the levels of a context did not admit, the most specific level first. As a rule there are none. */
export function rejectedOn<Spec>(stack: Stack<Spec>): readonly Rejection<Spec>[] {
  const rejected: Rejection<Spec>[] = [];
  let depth = depthOf(stack);
  for (let at: Stack<Spec> | undefined = stack; at?.level !== undefined; at = at.above) {
    depth -= 1;
    if (at.level.rejected.length > 0) rejected.push(...rejectedAt(at.level, placedOn(at.level, depth)));
  }
  return rejected;
}

const none: readonly never[] = [];

/** The layers of a level at one depth. */
export interface PlacedLevel<Spec> {
  readonly depth: number;
  /** The first one to be merged first. */
  readonly layers: readonly PlacedLayer<Spec>[];
  /** When somebody has asked. */
  rejected: readonly Rejection<Spec>[] | undefined;
}

function placedOn<Spec>(level: Level<Spec>, depth: number): PlacedLevel<Spec> {
  for (const placed of level.placed) if (placed.depth === depth) return placed;
  const layers = level.turns.map(({ layer, dictatedBy }) => placedAt(level, depth, layer, dictatedBy));
  const placed = { depth, layers, rejected: undefined };
  level.placed = level.placed.concat(placed);
  return placed;
}

function rejectedAt<Spec>(level: Level<Spec>, placed: PlacedLevel<Spec>): readonly Rejection<Spec>[] {
  const { depth } = placed;
  placed.rejected ??= level.rejected.map(({ layer, by }) => {
    return { layer: placedAt(level, depth, layer), by: placedAt(level, depth, by) };
  });
  return placed.rejected;
}

function placedAt<Spec>(
  level: Level<Spec>,
  depth: number,
  layer: Layer<Spec>,
  dictatedBy: Layer<Spec> = layer,
): PlacedLayer<Spec> {
  return { layer, dictatedBy, level, depth, part: undefined, ...layer };
}

/** The most specific level and its closest parent, the next level on another object; and what the target says itself. */
function closest<Spec>(met: readonly PlacedLayer<Spec>[]): readonly PlacedLayer<Spec>[] {
  const [nearest, ...farther] = met.filter((placed) => !isOwnLayer(placed));
  const parent = farther.find(({ level }) => level.target.object !== nearest?.level.target.object);
  const depths = [nearest?.depth, parent?.depth];
  return met.filter((placed) => isOwnLayer(placed) || depths.includes(placed.depth));
}

function withoutLayers<Spec>(
  met: readonly PlacedLayer<Spec>[],
  used: readonly PlacedLayer<Spec>[],
): readonly PlacedLayer<Spec>[] {
  const taken = new Set(used.map(({ layer }) => layer));
  return met.filter(({ layer }) => !taken.has(layer));
}

/** Each layer in the one place where it counts. */
function onceEach<Spec>(met: readonly PlacedLayer<Spec>[], rules: ChoiceRules): readonly PlacedLayer<Spec>[] {
  const first = firstPlaces(met);
  if (first.every((place, at) => place === at)) return met;
  const counting = first.slice(); // By the first place of each.
  let beneath: PlacedLayer<Spec> | undefined;
  for (let start = 0; start < met.length; ) {
    const end = groupEnd(met, start, rules);
    const last = met[end - 1] as PlacedLayer<Spec>;
    for (let at = start; at < end; at += 1) {
      const place = first[at] as number;
      if (place === at) continue;
      const isInGroup = (counting[place] as number) >= start;
      const { stanza } = (isInGroup ? rules.withinObject : beneath && choiceOf(last, beneath, rules)) ?? {};
      if (stanza === 'overrides') counting[place] = at;
    }
    beneath = last;
    start = end;
  }
  return met.filter((_placed, at) => counting[first[at] as number] === at);
}

/** Where each layer is met first. As a rule there are so few that looking is quicker than taking them down. */
function firstPlaces<Spec>(met: readonly PlacedLayer<Spec>[]): readonly number[] {
  if (met.length <= 16) return met.map(({ layer }) => firstPlace(met, layer));
  const places = new Map<Layer<Spec>, number>();
  return met.map(({ layer }, at) => {
    const place = places.get(layer) ?? at;
    if (place === at) places.set(layer, at);
    return place;
  });
}

/** Where a layer is met first: it is met somewhere. */
function firstPlace<Spec>(met: readonly PlacedLayer<Spec>[], layer: Layer<Spec>): number {
  let place = 0;
  while (met[place]?.layer !== layer) place += 1;
  return place;
}

/** Above all levels. */
function raised<Spec>(layers: readonly PlacedLayer<Spec>[]): readonly PlacedLayer<Spec>[] {
  return layers.map((placed) => ({ ...placed, depth: -1, part: undefined }));
}
