import type { Layer, PolicyKind } from '@policy-machinery/policy-kind';
import { type ChoiceRules, choiceOf, groupsOf } from './choice.ts';
import type { Level } from './level.ts';
import { isOwnLayer } from './own-value.ts';

/** A layer in its place in a context. */
export interface PlacedLayer<Spec> extends Layer<Spec> {
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
  const met: Occurrence<Spec>[] = [];
  const rejected: Rejection<Spec>[] = [];
  for (let depth = levels.length - 1; depth >= 0; depth -= 1) {
    const level = levels[depth] as Level<Spec>;
    const here = placedOn(level, depth);
    for (const turn of here.turns) met.push(turn);
    for (const rejection of here.rejected) rejected.push(rejection);
  }
  const used = rules.reduction === 'closest-parent' ? closest(met) : met;
  const layers = onceEach(used, rules);
  const leftOut = used === met ? [] : onceEach(withoutLayers(met, used), rules);
  if (rules.ownValueStands === 'beneath') return { layers, leftOut, rejected };
  const raisedLast = [...layers.filter((it) => !isOwnLayer(it)), ...raised(layers.filter(isOwnLayer))];
  return { layers: raisedLast, leftOut, rejected };
}

/** The layers of a level at one depth. */
export interface PlacedLevel<Spec> {
  readonly depth: number;
  readonly turns: readonly Occurrence<Spec>[];
  readonly rejected: readonly Rejection<Spec>[];
}

function placedOn<Spec>(level: Level<Spec>, depth: number): PlacedLevel<Spec> {
  const known = level.placed.find((placed) => placed.depth === depth);
  if (known !== undefined) return known;
  const placed = placedAt(level, depth);
  level.placed = level.placed.concat(placed);
  return placed;
}

function placedAt<Spec>(level: Level<Spec>, depth: number): PlacedLevel<Spec> {
  const place = { level, depth };
  return {
    depth,
    turns: level.turns.map(({ layer, dictatedBy }) => ({ layer, placed: { ...layer, dictatedBy, ...place } })),
    rejected: level.rejected.map(({ layer, by }) => ({
      layer: { ...layer, dictatedBy: layer, ...place },
      by: { ...by, dictatedBy: by, ...place },
    })),
  };
}

/** The most specific level and its closest parent, the next level on another object; and what the target says itself. */
function closest<Spec>(met: readonly Occurrence<Spec>[]): readonly Occurrence<Spec>[] {
  const [nearest, ...farther] = met.filter(({ placed }) => !isOwnLayer(placed)).map(({ placed }) => placed);
  const parent = farther.find(({ level }) => level.target.object !== nearest?.level.target.object);
  const depths = [nearest?.depth, parent?.depth];
  return met.filter(({ placed }) => isOwnLayer(placed) || depths.includes(placed.depth));
}

/** A layer as it is met on one of the levels. */
export interface Occurrence<Spec> {
  readonly layer: Layer<Spec>;
  readonly placed: PlacedLayer<Spec>;
}

function withoutLayers<Spec>(
  met: readonly Occurrence<Spec>[],
  used: readonly Occurrence<Spec>[],
): readonly Occurrence<Spec>[] {
  const taken = new Set(used.map(({ layer }) => layer));
  return met.filter(({ layer }) => !taken.has(layer));
}

/** Each layer in the one place where it counts. */
function onceEach<Spec>(met: readonly Occurrence<Spec>[], rules: ChoiceRules): readonly PlacedLayer<Spec>[] {
  if (!hasRepeats(met)) return met.map(({ placed }) => placed);
  const counting = new Map<Layer<Spec>, PlacedLayer<Spec>>();
  let beneath: PlacedLayer<Spec> | undefined;
  for (const group of groupsOf(met, ({ placed }) => placed, rules)) {
    const { placed: last } = group.at(-1) as Occurrence<Spec>;
    const { stanza } = beneath === undefined ? last : choiceOf(last, beneath, rules);
    const here = new Set(group.map(({ placed }) => placed));
    for (const { layer, placed } of group) {
      const known = counting.get(layer);
      const isWithin = known !== undefined && here.has(known);
      const prevails = (isWithin ? rules.withinObject?.stanza : stanza) === 'overrides';
      if (known === undefined || prevails) counting.set(layer, placed);
    }
    beneath = last;
  }
  return met.filter(({ layer, placed }) => counting.get(layer) === placed).map(({ placed }) => placed);
}

/** Whether a layer is met on several levels. As a rule there are so few that looking is quicker than taking them down. */
function hasRepeats<Spec>(met: readonly Occurrence<Spec>[]): boolean {
  if (met.length > 16) return new Set(met.map(({ layer }) => layer)).size < met.length;
  return met.some(({ layer }, index) => {
    for (let before = 0; before < index; before += 1) if (met[before]?.layer === layer) return true;
    return false;
  });
}

/** Above all levels. */
function raised<Spec>(layers: readonly PlacedLayer<Spec>[]): readonly PlacedLayer<Spec>[] {
  return layers.map((placed) => ({ ...placed, depth: -1 }));
}
