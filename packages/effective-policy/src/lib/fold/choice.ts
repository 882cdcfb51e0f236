import type { Layer, PolicyKind, StrategyChoice } from '@policy-machinery/policy-kind';
import type { ContextLayer } from './context-layer.ts';
import { isOwnLayer } from './context-layer.ts';

export type ChoiceRules = Pick<PolicyKind<unknown>, 'strategyChooser' | 'withinObject'>;

/**
 * Returns the strategy that merges a layer with the result of the layers below. Own values of targets, and layers of one level,
 * follow their own strategy, unless the kind has a strategy for everything within one object.
 *
 * @param established The layer.
 * @param challenger The last layer that was merged into the result below.
 * @param rules The policy kind.
 * @param layer The layer that chooses the strategy. Default: `strategyFrom` of the layer.
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
  if (isOwnLayer(challenger) && strategyChooser.choices === undefined) return layer; // An own value selects no strategy.
  return strategyChooser.choose(
    { layer, target: established.level.target },
    { layer: challenger, target: challenger.level.target },
  );
}

/**
 * Returns the end of a group of layers that are merged among themselves first.
 *
 * @param placed The layers of a context, in order.
 * @param start The index of the first layer of the group.
 * @returns The index after the last layer of the group.
 */
export function groupEnd<Spec>(
  placed: readonly ContextLayer<Spec>[],
  start: number,
  { strategyChooser, withinObject }: ChoiceRules,
): number {
  if (withinObject !== undefined) return endOfRun(placed, start, objectOf);
  return strategyChooser.unit === 'level' ? endOfRun(placed, start, ({ level }) => level) : start + 1;
}

/** Returns the index of the next item with another key. */
function endOfRun<Item>(items: readonly Item[], start: number, keyOf: (item: Item) => unknown): number {
  const key = keyOf(items[start] as Item);
  let end = start + 1;
  while (end < items.length && keyOf(items[end] as Item) === key) end += 1;
  return end;
}

/** Returns the identity of the object of a layer. An own value is not one of the object's policies, so it identifies itself. */
export function objectOf<Spec>(placed: ContextLayer<Spec>): unknown {
  return isOwnLayer(placed) ? placed : placed.level.target.object;
}
