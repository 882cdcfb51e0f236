import type { Layer, PolicyKind } from '@policy-machinery/policy-kind';
import type { Level } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import { type ChoiceRules, choiceOf, groupEnd } from './choice.ts';
import { type ContextLayer, isOwnLayer } from './context-layer.ts';

/** The layers of a context, in order. */
export interface LayerOrder<Spec> {
  /** The layers that are merged, in the order of merging. */
  readonly layers: readonly ContextLayer<Spec>[];
  /** The layers of levels that are left out, because only the closest parent is merged. */
  readonly leftOut: readonly ContextLayer<Spec>[];
}

/** A layer in conflict with another of its level. */
export interface Rejection<Spec> {
  readonly layer: ContextLayer<Spec>;
  readonly by: ContextLayer<Spec>;
}

/**
 * Returns the layers of a context in the order of merging: from the most specific level upwards, each layer established over all before it.
 *
 * A policy on several levels counts once: on the least specific level if it prevails there over the layers below, otherwise on the most
 * specific one. The place of a target's own value is up to the kind.
 *
 * @param levels The levels of the context, the least specific first.
 */
export function layOut<Spec>(
  levels: readonly Level<Spec>[],
  rules: ChoiceRules & Pick<PolicyKind<unknown>, 'ownValuePrecedence' | 'fold'>,
): LayerOrder<Spec> {
  const met: ContextLayer<Spec>[] = [];
  for (let depth = levels.length - 1; depth >= 0; depth -= 1) {
    for (const layer of placedOn(levels[depth] as Level<Spec>, depth).layers) met.push(layer);
  }
  const used = rules.fold === 'closest-parent' ? closest(met) : met;
  const layers = onceEach(used, rules);
  const leftOut = used === met ? none : onceEach(withoutLayers(met, used), rules);
  if (rules.ownValuePrecedence === 'most-specific') return { layers, leftOut };
  const ownLayers = layers.filter(isOwnLayer);
  const ofPolicies = ownLayers.length === 0 ? layers : layers.filter((it) => !isOwnLayer(it));
  const yielding = ownLayers.filter(({ stanza }) => stanza === 'defaults');
  const prevailing = raised(ownLayers.filter(({ stanza }) => stanza === 'overrides'));
  return { layers: [...aboveObject(ofPolicies, yielding), ...prevailing], leftOut };
}

/** Returns layers with own values of a target above the policies on its object, and below all others. */
function aboveObject<Spec>(
  layers: readonly ContextLayer<Spec>[],
  ownLayers: readonly ContextLayer<Spec>[],
): readonly ContextLayer<Spec>[] {
  const object = ownLayers[0]?.level.target.object;
  if (object === undefined) return layers;
  const place = layers.findIndex(({ level }) => level.target.object !== object);
  return place < 0 ? [...layers, ...ownLayers] : [...layers.slice(0, place), ...ownLayers, ...layers.slice(place)];
}

/** Returns the layers that the levels of a context rejected, the most specific level first. Usually there are none. */
export function rejectedOn<Spec>(levels: readonly Level<Spec>[]): readonly Rejection<Spec>[] {
  return levels.map(rejectedAt).reverse().flat();
}

/** Returns the layers that a level rejected, placed at a depth of a context. */
export function rejectedAt<Spec>(level: Level<Spec>, depth: number): readonly Rejection<Spec>[] {
  return level.rejected.map(({ layer, by }) => ({
    layer: placedAt(level, depth, layer),
    by: placedAt(level, depth, by),
  }));
}

/** The layers of a level at one depth, in the order of merging. */
interface PlacedLevel<Spec> {
  readonly depth: number;
  readonly layers: readonly ContextLayer<Spec>[];
}

/** The placed layers of each level, for each depth that the level has in a context: contexts share them. */
const placedLevels = new WeakMap<Level<unknown>, readonly PlacedLevel<unknown>[]>();

function placedOn<Spec>(level: Level<Spec>, depth: number): PlacedLevel<Spec> {
  const placements = (placedLevels.get(level as Level<unknown>) ?? none) as readonly PlacedLevel<Spec>[];
  for (const placed of placements) if (placed.depth === depth) return placed;
  const layers = level.layers.map(({ layer, strategyFrom }) => placedAt(level, depth, layer, strategyFrom));
  const placed = { depth, layers };
  placedLevels.set(level as Level<unknown>, placements.concat(placed) as readonly PlacedLevel<unknown>[]);
  return placed;
}

function placedAt<Spec>(
  level: Level<Spec>,
  depth: number,
  layer: Layer<Spec>,
  strategyFrom: Layer<Spec> = layer,
): ContextLayer<Spec> {
  return { layer, strategyFrom, level, depth, ...layer };
}

/** Returns the layers of the most specific level and of its closest parent, the next level on another object; and the target's own value. */
function closest<Spec>(met: readonly ContextLayer<Spec>[]): readonly ContextLayer<Spec>[] {
  const [nearest, ...farther] = met.filter((placed) => !isOwnLayer(placed));
  const parent = farther.find(({ level }) => level.target.object !== nearest?.level.target.object);
  const depths = [nearest?.depth, parent?.depth];
  return met.filter((placed) => isOwnLayer(placed) || depths.includes(placed.depth));
}

function withoutLayers<Spec>(
  met: readonly ContextLayer<Spec>[],
  used: readonly ContextLayer<Spec>[],
): readonly ContextLayer<Spec>[] {
  const taken = new Set(used.map(({ layer }) => layer));
  return met.filter(({ layer }) => !taken.has(layer));
}

/** Returns each layer in the one place where it counts. */
function onceEach<Spec>(met: readonly ContextLayer<Spec>[], rules: ChoiceRules): readonly ContextLayer<Spec>[] {
  const first = firstPlaces(met);
  if (first.every((place, index) => place === index)) return met;
  const counting = first.slice(); // By the first place of each.
  let below: ContextLayer<Spec> | undefined;
  for (let start = 0; start < met.length; ) {
    const end = groupEnd(met, start, rules);
    const last = met[end - 1] as ContextLayer<Spec>;
    for (let index = start; index < end; index += 1) {
      const place = first[index] as number;
      if (place === index) continue;
      const isInGroup = (counting[place] as number) >= start;
      const { stanza } = (isInGroup ? rules.withinObject : below && choiceOf(last, below, rules)) ?? {};
      if (stanza === 'overrides') counting[place] = index;
    }
    below = last;
    start = end;
  }
  return met.filter((_placed, index) => counting[first[index] as number] === index);
}

/** Returns the first index of each layer. Usually there are few layers, so that a search is faster than an index. */
function firstPlaces<Spec>(met: readonly ContextLayer<Spec>[]): readonly number[] {
  if (met.length <= 16) return met.map(({ layer }) => firstPlace(met, layer));
  const places = new Map<Layer<Spec>, number>();
  return met.map(({ layer }, index) => {
    const place = places.get(layer) ?? index;
    if (place === index) places.set(layer, index);
    return place;
  });
}

/** Returns the first index of a layer in a list that contains it. */
function firstPlace<Spec>(met: readonly ContextLayer<Spec>[], layer: Layer<Spec>): number {
  let place = 0;
  while (met[place]?.layer !== layer) place += 1;
  return place;
}

/** Returns layers with a place above all levels. */
function raised<Spec>(layers: readonly ContextLayer<Spec>[]): readonly ContextLayer<Spec>[] {
  return layers.map((placed) => ({ ...placed, depth: -1 }));
}
