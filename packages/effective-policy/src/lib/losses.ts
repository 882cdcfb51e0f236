import {
  alignFields,
  atomic,
  contributors,
  none,
  originsAt,
  pointersIn,
  type StrategyName,
  strategyName,
} from '@policy-machinery/merge';
import { isJsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import type { PlacedLayer, Rejection } from './layout.ts';
import { type MergeStep, partOf, type TracedSpec } from './part.ts';
import { type LevelOrder, type Rule, ruleBy, ruleByOrder } from './rule.ts';

/** A layer, or a field of it, that did not make it into the effective policy. */
export interface Loss<Spec> {
  /** Who lost. */
  readonly layer: PlacedLayer<Spec>;
  /** JSON Pointer to what was lost, from the root of the spec proper; `''` for all that the layer had left. */
  readonly pointer: string;
  /** Who set the field instead, or replaced the whole; nobody for a condition with nothing beneath it. */
  readonly to: readonly PlacedLayer<Spec>[];
  /** The strategy that decided, in GEP-713's words. */
  readonly strategy: StrategyName;
  /** What the dialect calls that strategy, if it has a name for it (M-08). */
  readonly dialectName: string | undefined;
  /** Why the winner won. */
  readonly rule: Rule;
}

/** One field that a layer lost. */
export interface FieldLoss<Spec> extends Loss<Spec> {
  /** What the layer had set it to; `undefined` if it had removed it. */
  readonly value: JsonValue | undefined;
}

/** What one layer lost in one merge. */
export interface LayerLoss<Spec> {
  readonly fields: readonly FieldLoss<Spec>[];
  /** Whether that was all it had left. */
  readonly isAll: boolean;
}

/**
 * What the layers on each side of a merge lost to the other side.
 *
 * @param step The merge.
 * @param effective What the context came to in the end, where the fields are to be shown.
 */
export function lossesOf<Spec>(step: MergeStep<Spec>, effective: TracedSpec<Spec>): readonly LayerLoss<Spec>[] {
  // What stands for something else, such as a list of operations, has no fields to lose.
  const isInstruction = step.strategy.alone !== undefined;
  const losses = [
    ...(isInstruction ? [] : lossesOfSide(step.established, step.challenger, step)),
    ...lossesOfSide(step.challenger, step.established, step),
  ];
  return losses.map(({ fields, isAll }) => {
    const pointers = pointersIn(
      fields.map(({ pointer }) => pointer),
      step.result,
      effective,
    );
    return { isAll, fields: fields.map((field, index) => ({ ...field, pointer: pointers[index] ?? field.pointer })) };
  });
}

/** The step at which a level did not admit a layer. */
export function rejectionStep<Spec>({ layer, by }: Rejection<Spec>, order: LevelOrder): MergeStep<Spec> {
  const [established, challenger] = [partOf(by).spec, partOf(layer).spec];
  const ruleBetween = ruleByOrder(order);
  return { established, challenger, result: established, strategy: none, stanza: 'defaults', ruleBetween };
}

/** The step at which a layer gave way to what the most specific level and its closest parent came to. */
export function omissionStep<Spec>(
  layer: PlacedLayer<Spec>,
  nearest: PlacedLayer<Spec>,
  effective: TracedSpec<Spec>,
  order: LevelOrder,
): MergeStep<Spec> {
  const isEmpty = contributors(effective.origins).length === 0;
  const challenger = isEmpty ? partOf(nearest).spec : effective;
  const sides = { established: partOf(layer).spec, challenger, result: challenger };
  return { ...sides, strategy: atomic, stanza: 'defaults', ruleBetween: ruleBy(order) };
}

/** In as few words as possible: one loss for all that a layer had left, if it all went to the same winners. */
export function summarize<Spec>({ fields, isAll }: LayerLoss<Spec>): readonly Loss<Spec>[] {
  const [first] = fields;
  const asOne = first !== undefined && isAll && fields.every(({ to }) => sameMembers(to, first.to));
  const losses = asOne ? [{ ...first, pointer: '' }] : fields;
  return losses.map(({ layer, pointer, to, strategy, dialectName, rule }) => {
    return { layer, pointer, to, strategy, dialectName, rule };
  });
}

type Field<Spec> = ReturnType<typeof alignFields<PlacedLayer<Spec>>>[number];

function lossesOfSide<Spec>(
  side: TracedSpec<Spec>,
  other: TracedSpec<Spec>,
  step: MergeStep<Spec>,
): readonly LayerLoss<Spec>[] {
  const strategy = strategyName(step.strategy, step.stanza);
  const { dialectName } = step;
  const opponents = contributors(other.origins);
  return [...fieldsByLayer(side, step.result)].map(([layer, fields]) => {
    const lost = fields.flatMap((field): FieldLoss<Spec>[] => {
      const to = winnersOf(field, layer, opponents, step);
      if (to === undefined) return [];
      const [winner = layer] = to;
      const { pointer, value } = field;
      return [{ layer, pointer, value, to, strategy, dialectName, rule: step.ruleBetween(winner, layer) }];
    });
    return { fields: lost, isAll: lost.length === fields.length };
  });
}

/** Who took a field from a layer; `undefined` if the layer still has it after the merge. */
function winnersOf<Spec>(
  { pointer, removed, value }: Field<Spec>,
  layer: PlacedLayer<Spec>,
  opponents: readonly PlacedLayer<Spec>[],
  { result, strategy }: MergeStep<Spec>,
): readonly PlacedLayer<Spec>[] | undefined {
  const holders = originsAt(result.origins, pointer);
  const there = valueAt(result.value, pointer);
  const isThere = there !== undefined || removed || value === null; // `null` removes, so it is there by its absence.
  const merges = strategy.granularity === 'Patch' || strategy.granularity === 'Custom';
  const isMerged = merges && isEmptyObject(value) && isJsonObject(there);
  if (isMerged || (holders.includes(layer) && isThere)) return undefined;
  const others = holders.filter((holder) => holder !== layer);
  return others.length > 0 ? others : opponents;
}

function fieldsByLayer<Spec>(
  side: TracedSpec<Spec>,
  result: TracedSpec<Spec>,
): ReadonlyMap<PlacedLayer<Spec>, readonly Field<Spec>[]> {
  const fields = new Map<PlacedLayer<Spec>, Field<Spec>[]>();
  for (const field of alignFields(side, result)) {
    for (const layer of field.by) {
      const sameLayer = fields.get(layer) ?? [];
      fields.set(layer, sameLayer);
      sameLayer.push(field);
    }
  }
  return fields;
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function sameMembers<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
