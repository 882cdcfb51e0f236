import type { Choice, Layer, PolicyKind } from '@policy-machinery/policy-kind';
import type { PlacedLayer } from './layout.ts';
import { isOwnLayer } from './own-value.ts';

/** What of a policy kind says by which strategy layers are merged. */
export type ChoiceRules = Pick<PolicyKind<unknown>, 'dictates' | 'withinObject'>;

/**
 * The strategy by which a layer is merged with what lies beneath it. What a target says itself is merged as it is, and so
 * are the layers of one level, unless the kind has a strategy for all that meets within one object.
 *
 * @param established The layer.
 * @param challenger The layer that was merged last of those beneath it.
 * @param rules The policy kind.
 * @param layer The layer whose strategy it follows. Default: as it is laid out.
 */
export function choiceOf<Spec>(
  established: PlacedLayer<Spec>,
  challenger: PlacedLayer<Spec>,
  { dictates, withinObject }: ChoiceRules,
  layer: Layer<Spec> = established.dictatedBy,
): Choice {
  if (isOwnLayer(established)) return layer;
  if (withinObject !== undefined && objectOf(established) === objectOf(challenger)) return withinObject;
  if (established.level === challenger.level) return layer;
  if (isOwnLayer(challenger) && dictates.choices === undefined) return layer; // What a target says itself selects nothing.
  return dictates.choose(
    { layer, target: established.level.target },
    { layer: challenger, target: challenger.level.target },
  );
}

/** Splits the layers of a context into those that are merged among themselves before they meet what lies beneath them. */
export function groupsOf<Item, Spec>(
  items: readonly Item[],
  placedOf: (item: Item) => PlacedLayer<Spec>,
  { dictates, withinObject }: ChoiceRules,
): readonly (readonly Item[])[] {
  if (withinObject !== undefined) return consecutive(items, (item) => objectOf(placedOf(item)));
  if (dictates.meeting === 'level') return consecutive(items, (item) => placedOf(item).level);
  return items.map((item) => [item]);
}

/** What a target says itself is no part of the object's policies. */
export function objectOf<Spec>(placed: PlacedLayer<Spec>): unknown {
  return isOwnLayer(placed) ? placed : placed.level.target.object;
}

/** Splits a list wherever the key changes. */
export function consecutive<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && keyOf(group[0]) === keyOf(item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
