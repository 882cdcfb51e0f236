import type { Layer, PolicyKind } from '@policy-machinery/policy-kind';
import { type ChoiceRules, choiceOf, groupsOf } from './choice.ts';
import type { Level } from './level.ts';
import { isOwnLayer } from './own-value.ts';

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
}

/** The layers of a context, in order. */
export interface Layout<Spec> {
  /** Those that are merged, the first one first. */
  readonly layers: readonly PlacedLayer<Spec>[];
  /** Those of levels that are not merged with others, since only the closest parent is (E-02). */
  readonly leftOut: readonly PlacedLayer<Spec>[];
  /** Those that their level did not admit. */
  readonly rejected: readonly Rejection<Spec>[];
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
  levels: readonly Level<Spec>[],
  rules: ChoiceRules & Pick<PolicyKind<unknown>, 'ownValueStands' | 'reduction'>,
): Layout<Spec> {
  const met: PlacedLayer<Spec>[] = [];
  let rejected: readonly Rejection<Spec>[] = none;
  for (let depth = levels.length - 1; depth >= 0; depth -= 1) {
    const placed = placedOn(levels[depth] as Level<Spec>, depth);
    for (const layer of placed.layers) met.push(layer);
    if (placed.rejected.length > 0) rejected = [...rejected, ...placed.rejected];
  }
  const used = rules.reduction === 'closest-parent' ? closest(met) : met;
  const layers = onceEach(used, rules);
  const leftOut = used === met ? none : onceEach(withoutLayers(met, used), rules);
  if (rules.ownValueStands === 'beneath') return { layers, leftOut, rejected };
  const raisedLast = [...layers.filter((it) => !isOwnLayer(it)), ...raised(layers.filter(isOwnLayer))];
  return { layers: raisedLast, leftOut, rejected };
}

const none: readonly never[] = [];

/** The layers of a level at one depth. */
export interface PlacedLevel<Spec> {
  readonly depth: number;
  /** The first one to be merged first. */
  readonly layers: readonly PlacedLayer<Spec>[];
  readonly rejected: readonly Rejection<Spec>[];
}

function placedOn<Spec>(level: Level<Spec>, depth: number): PlacedLevel<Spec> {
  for (const placed of level.placed) if (placed.depth === depth) return placed;
  const placed = placedAt(level, depth);
  level.placed = level.placed.concat(placed);
  return placed;
}

function placedAt<Spec>(level: Level<Spec>, depth: number): PlacedLevel<Spec> {
  const placed = (layer: Layer<Spec>, dictatedBy: Layer<Spec>): PlacedLayer<Spec> => {
    return { ...layer, layer, dictatedBy, level, depth };
  };
  return {
    depth,
    layers: level.turns.map(({ layer, dictatedBy }) => placed(layer, dictatedBy)),
    rejected: level.rejected.map(({ layer, by }) => ({ layer: placed(layer, layer), by: placed(by, by) })),
  };
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
  if (!hasRepeats(met)) return met;
  const counting = new Map<Layer<Spec>, PlacedLayer<Spec>>();
  let beneath: PlacedLayer<Spec> | undefined;
  for (const group of groupsOf(met, (placed) => placed, rules)) {
    const last = group.at(-1) as PlacedLayer<Spec>;
    const { stanza } = beneath === undefined ? last : choiceOf(last, beneath, rules);
    const here = new Set(group);
    for (const placed of group) {
      const known = counting.get(placed.layer);
      const isWithin = known !== undefined && here.has(known);
      const prevails = (isWithin ? rules.withinObject?.stanza : stanza) === 'overrides';
      if (known === undefined || prevails) counting.set(placed.layer, placed);
    }
    beneath = last;
  }
  return met.filter((placed) => counting.get(placed.layer) === placed);
}

/** Whether a layer is met on several levels. As a rule there are so few that looking is quicker than taking them down. */
function hasRepeats<Spec>(met: readonly PlacedLayer<Spec>[]): boolean {
  if (met.length > 16) return new Set(met.map(({ layer }) => layer)).size < met.length;
  for (let at = 1; at < met.length; at += 1) {
    for (let before = 0; before < at; before += 1) if (met[before]?.layer === met[at]?.layer) return true;
  }
  return false;
}

/** Above all levels. */
function raised<Spec>(layers: readonly PlacedLayer<Spec>[]): readonly PlacedLayer<Spec>[] {
  return layers.map((placed) => ({ ...placed, depth: -1 }));
}
