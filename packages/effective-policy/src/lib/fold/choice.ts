import type { Layer, PolicyKind, StrategyChoice } from '@policy-machinery/policy-kind';
import type { ContextLayer } from './context-layer.ts';
import { isOwnLayer } from './context-layer.ts';

/** What of a policy kind says by which strategy layers are merged. */
export type ChoiceRules = Pick<PolicyKind<unknown>, 'strategyChooser' | 'withinObject'>;

/**
 * The strategy by which a layer is merged with what lies below it. What a target says itself is merged as it is, and so
 * are the layers of one level, unless the kind has a strategy for all that meets within one object.
 *
 * @param established The layer.
 * @param challenger The layer that was merged last of those below it.
 * @param rules The policy kind.
 * @param layer The layer whose strategy it follows. Default: as it is laid out.
 */
export function choiceOf<Spec>(
  established: ContextLayer<Spec>,
  challenger: ContextLayer<Spec>,
  { strategyChooser, withinObject }: ChoiceRules,
  layer: Layer<Spec> = established.strategyFrom,
): StrategyChoice {
  if (isOwnLayer(established)) return layer;
  if (withinObject !== undefined && objectOf(established) === objectOf(challenger)) return withinObject;
  if (established.level === challenger.level) return layer;
  if (isOwnLayer(challenger) && strategyChooser.choices === undefined) return layer; // What a target says itself selects nothing.
  return strategyChooser.choose(
    { layer, target: established.level.target },
    { layer: challenger, target: challenger.level.target },
  );
}

/**
 * Where a group of layers ends that are merged among themselves before they meet what lies below them.
 *
 * @param placed The layers of a context, in order.
 * @param start Where the group begins.
 * @returns The index after its last layer.
 */
export function groupEnd<Spec>(
  placed: readonly ContextLayer<Spec>[],
  start: number,
  { strategyChooser, withinObject }: ChoiceRules,
): number {
  if (withinObject !== undefined) return endOfRun(placed, start, objectOf);
  return strategyChooser.unit === 'level' ? endOfRun(placed, start, ({ level }) => level) : start + 1;
}

/** Where the key changes. */
function endOfRun<Item>(items: readonly Item[], start: number, keyOf: (item: Item) => unknown): number {
  const key = keyOf(items[start] as Item);
  let end = start + 1;
  while (end < items.length && keyOf(items[end] as Item) === key) end += 1;
  return end;
}

/** What a target says itself is no part of the object's policies. */
export function objectOf<Spec>(placed: ContextLayer<Spec>): unknown {
  return isOwnLayer(placed) ? placed : placed.level.target.object;
}
