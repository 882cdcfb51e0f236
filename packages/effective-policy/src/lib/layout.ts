import { byEstablished, type Layer, type PolicyKind } from '@policy-machinery/policy-kind';
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
 * A policy that is met on several levels counts once: its defaults where they are most specific, its overrides where they
 * are least. What the target says itself stands where its kind says.
 */
export function layOut<Spec>(
  levels: readonly Level<Spec>[],
  { ownValueStands, dictates }: Pick<PolicyKind<unknown>, 'ownValueStands' | 'dictates'>,
): Layout<Spec> {
  const all: { readonly layer: Layer<Spec>; readonly placed: PlacedLayer<Spec> }[] = [];
  const rejected: Rejection<Spec>[] = [];
  for (let depth = levels.length - 1; depth >= 0; depth -= 1) {
    const level = levels[depth] as Level<Spec>;
    for (const { layer, dictatedBy } of level.turns)
      all.push({ layer, placed: { ...layer, dictatedBy, level, depth } });
    for (const { layer, by } of level.rejected) {
      const place = { level, depth };
      rejected.push({ layer: { ...layer, dictatedBy: layer, ...place }, by: { ...by, dictatedBy: by, ...place } });
    }
  }
  // Where others choose the stanza, either place may be the one that counts.
  const isStanzaKnown = dictates === byEstablished;
  const first = new Map<Layer<Spec>, PlacedLayer<Spec>>();
  const last = new Map<Layer<Spec>, PlacedLayer<Spec>>();
  for (const { layer, placed } of all) {
    if (!first.has(layer)) first.set(layer, placed);
    last.set(layer, placed);
  }
  const layers = all
    .filter(({ layer, placed }) => !isStanzaKnown || (layer.stanza === 'defaults' ? first : last).get(layer) === placed)
    .map(({ placed }) => placed);
  if (ownValueStands === 'beneath') return { layers, rejected };
  return { layers: [...layers.filter((it) => !isOwnLayer(it)), ...raised(layers.filter(isOwnLayer))], rejected };
}

/** Above all levels. */
function raised<Spec>(layers: readonly PlacedLayer<Spec>[]): readonly PlacedLayer<Spec>[] {
  return layers.map((placed) => ({ ...placed, depth: -1 }));
}
