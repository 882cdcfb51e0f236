/*
 * reasons/ takes the steps in which layers were merged, and returns the share of each policy: the fields that it set, and what it lost, to
 * which layers and by which rule. A share is the outcome of one policy in one context.
 */
import {
  type AlignedField,
  atomic,
  contributors,
  equalityKey,
  type MergeStrategy,
  none,
  pointersIn,
  type StrategyName,
  strategyName,
  visitFields,
} from '@policy-machinery/merge';
import type { Layer, PolicyKind } from '@policy-machinery/policy-kind';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import type { Rejection } from '../fold/layer-order.ts';
import { type MergeStep, operandOf } from '../fold/operand.ts';
import { type LevelOrder, type Rule, ruleBy, ruleByOrder } from '../fold/rule.ts';
import { withoutItem } from '../support/same.ts';

/** A layer, or a field of it, that did not make it into the effective policy. */
export interface Loss<Spec> {
  /** The layer that lost. */
  readonly layer: ContextLayer<Spec>;
  /** JSON Pointer to what was lost, from the root of the spec proper; `''` for all that the layer had left. */
  readonly pointer: string;
  /**
   * The layers that set the field instead, or replaced the whole spec, in the merge that decided. They may have lost the field in turn:
   * `final` has the final holders. Empty for a condition with nothing below it.
   */
  readonly winners: readonly ContextLayer<Spec>[];
  /** The strategy that decided, by its name in GEP-713. */
  readonly strategy: StrategyName;
  /** The dialect's name for the strategy, if it has one (M-08). */
  readonly dialectName: string | undefined;
  /** Why that strategy applied, in the system's words: `mergeType is not set`; `undefined` if GEP-713's words are enough. */
  readonly because?: string | undefined;
  /** Why the winner won. */
  readonly rule: Rule;
  /**
   * The loss to the final holders, with their strategy and rule, if these are not the first winners; one loss for each field where they
   * differ.
   */
  readonly final?: readonly Loss<Spec>[];
}

/**
 * Returns a loss as one to the final holders: a layer that won may have lost in turn, to a layer further up.
 *
 * @param loss A loss of an effective policy, with the first winners.
 * @returns The losses in `final`; the loss itself if it has none.
 */
export function finalLosses<Spec>(loss: Loss<Spec>): readonly Loss<Spec>[] {
  return loss.final ?? [loss];
}

/** One field that a layer lost. */
export interface FieldLoss<Spec> extends Loss<Spec> {
  /** The value that the layer set; `undefined` if the layer removed the field. */
  readonly value: JsonValue | undefined;
  /** JSON Pointer to the part that the strategy takes as a whole, such as the named rule around the field; else that of the field. */
  readonly unit: string;
}

/** The losses of one layer in one merge. */
export interface LayerLoss<Spec> {
  readonly fields: readonly FieldLoss<Spec>[];
  /** Whether the layer has nothing left. */
  readonly isAll: boolean;
}

/**
 * Returns what the layers on each side of a merge lost to the other side.
 *
 * @param step The merge.
 * @param effective The result of the context. Pointers of the losses are those of the result.
 * @param isHeldBy Whether layers still hold all that they took in the merge: then a spec that they replaced as a whole is one loss. Default:
 * each field is a loss.
 */
export function lossesOf<Spec>(
  step: MergeStep<Spec>,
  effective: TracedSpec<Spec>,
  isHeldBy?: IsHeldBy<Spec>,
): readonly LayerLoss<Spec>[] {
  // Instructions, such as a list of operations, have no fields to lose.
  const isInstruction = step.strategy.alone !== undefined;
  const above = isInstruction ? nothing : lossesOfSide(step.established, step.challenger, step, isHeldBy);
  const losses = above.concat(lossesOfSide(step.challenger, step.established, step, isHeldBy));
  if (step.result === effective) return losses;
  return losses.map(({ fields, isAll }) => {
    if (!fields.some(({ pointer }) => mayMove.test(pointer))) return { isAll, fields };
    const all = fields.flatMap(({ pointer, unit }) => (unit === pointer ? [pointer] : [pointer, unit]));
    const moved = new Map(pointersIn(all, step.result, effective).map((to, index) => [all[index], to]));
    return { isAll, fields: fields.map((field) => movedTo(field, moved)) };
  });
}

/** Only items of lists move in later merges. */
const mayMove = /\/\d/;

function movedTo<Spec>(field: FieldLoss<Spec>, moved: ReadonlyMap<string | undefined, string>): FieldLoss<Spec> {
  const [pointer = '', unit = pointer] = [moved.get(field.pointer), moved.get(field.unit)];
  return pointer === field.pointer && unit === field.unit ? field : { ...field, pointer, unit };
}

/** The rules of a policy kind by which policies of one level are in conflict. */
export type ConflictRules = Pick<PolicyKind<unknown>, 'order' | 'conflictReason'>;

/** Returns the step in which a level rejected a layer. */
export function rejectionStep<Spec>({ layer, by }: Rejection<Spec>, rules: ConflictRules): MergeStep<Spec> {
  const [established, challenger] = [operandOf(by).spec, operandOf(layer).spec];
  const ruleBetween = ruleByOrder(rules.order);
  const because = rules.conflictReason;
  return { established, challenger, result: established, strategy: none, stanza: 'defaults', because, ruleBetween };
}

/** Returns all that a rejected layer lost, as one loss. */
export function rejectionLoss<Spec>({ layer, by }: Rejection<Spec>, rules: ConflictRules): LayerLoss<Spec> {
  const rule = ruleByOrder(rules.order)(by, layer);
  const strategy = strategyName(none, 'defaults');
  return {
    fields: [
      {
        layer,
        pointer: '',
        unit: '',
        value: layer.spec as JsonObject,
        winners: [by],
        strategy,
        dialectName: undefined,
        because: rules.conflictReason,
        rule,
      },
    ],
    isAll: true,
  };
}

/** Returns the step in which a layer was left out for the result of the most specific level and its closest parent. */
export function omissionStep<Spec>(
  layer: ContextLayer<Spec>,
  nearest: ContextLayer<Spec>,
  effective: TracedSpec<Spec>,
  order: LevelOrder,
): MergeStep<Spec> {
  const isEmpty = contributors(effective.origins).length === 0;
  const challenger = isEmpty ? operandOf(nearest).spec : effective;
  const sides = { established: operandOf(layer).spec, challenger, result: challenger };
  const because = 'only the closest parent is merged';
  return { ...sides, strategy: atomic, stanza: 'defaults', because, ruleBetween: ruleBy(order) };
}

/**
 * Returns as few losses as possible: one for all that a layer had left, if all of it went to the same winners; else one for each unit of
 * the strategy, such as a named rule.
 */
export function summarize<Spec>({ fields, isAll }: LayerLoss<Spec>): readonly Loss<Spec>[] {
  const asOne = isAll ? inOne(fields, '') : undefined;
  return asOne === undefined ? inUnits(fields) : [asOne];
}

/** Returns losses of fields, with one loss for the fields that a strategy takes as a whole. */
export function inUnits<Spec>(fields: readonly FieldLoss<Spec>[]): readonly Loss<Spec>[] {
  if (fields.every(({ pointer, unit }) => pointer === unit)) return fields.map((field) => withoutValue(field));
  const units = new Map<string, FieldLoss<Spec>[]>();
  for (const field of fields) units.set(field.unit, (units.get(field.unit) ?? []).concat(field));
  return [...units].flatMap(([unit, parts]) => {
    const whole = inOne(parts, unit);
    return whole === undefined ? parts.map((field) => withoutValue(field)) : [whole];
  });
}

/** Returns the losses of some fields as one at a pointer; `undefined` if their first winners differ. */
function inOne<Spec>(fields: readonly FieldLoss<Spec>[], pointer: string): Loss<Spec> | undefined {
  const [first] = fields;
  if (first === undefined || !fields.every(({ winners }) => sameMembers(winners, first.winners))) return undefined;
  const loss = { ...withoutFinal(first), pointer };
  if (fields.every(({ final }) => final === undefined)) return loss;
  const final = fields.flatMap((field) => finalLosses(field)).map(withoutFinal);
  const [one] = final as [Loss<Spec>];
  const isSame = final.every(({ winners, strategy }) => strategy === one.strategy && sameMembers(winners, one.winners));
  return { ...loss, final: isSame ? [{ ...one, pointer }] : final };
}

function withoutValue<Spec>(loss: Loss<Spec>): Loss<Spec> {
  return loss.final === undefined ? withoutFinal(loss) : { ...withoutFinal(loss), final: loss.final };
}

function withoutFinal<Spec>({ layer, pointer, winners, strategy, dialectName, because, rule }: Loss<Spec>): Loss<Spec> {
  return { layer, pointer, winners, strategy, dialectName, because, rule };
}

/** Returns whether a loss is a conflict. A policy on a section does not conflict with one on the whole object (C-12). */
export function isConflict<Spec>({ strategy, rule }: Loss<Spec>): boolean {
  return strategy === 'None' && rule !== 'more-specific' && rule !== 'less-specific';
}

type Layers<Spec> = readonly ContextLayer<Spec>[];
type IsHeldBy<Spec> = (layers: Layers<Spec>) => boolean;

const nothing: readonly never[] = [];

function lossesOfSide<Spec>(
  side: TracedSpec<Spec>,
  other: TracedSpec<Spec>,
  step: MergeStep<Spec>,
  isHeldBy: IsHeldBy<Spec> | undefined,
): readonly LayerLoss<Spec>[] {
  const { result, ruleBetween, dialectName, because } = step;
  if (side === result) return nothing;
  const strategy = strategyName(step.strategy, step.stanza);
  const lossOf = (layer: ContextLayer<Spec>, winners: Layers<Spec>, pointer: string, value: JsonValue | undefined) => {
    const [winner = layer] = winners;
    const rule = ruleBetween(winner, layer);
    return { layer, pointer, unit: pointer, value, winners, strategy, dialectName, because, rule };
  };
  const layers = contributors(side.origins);
  const victors = victorsOver(layers, step);
  if (victors !== undefined && isHeldBy?.(victors)) {
    return layers.map((layer) => ({ fields: [lossOf(layer, victors, '', side.value)], isAll: true }));
  }
  const { unitAt } = step.strategy;
  const unitOf = (path: readonly string[]): string =>
    formatPointer(unitAt === undefined ? path : path.slice(0, unitAt(path)));
  const opponents = contributors(other.origins);
  const lost = new Map<ContextLayer<Spec>, FieldLoss<Spec>[]>();
  const keepers = new Set<ContextLayer<Spec>>();
  const kept = new Map<ContextLayer<Spec>, Set<string>>();
  const keep = (layer: ContextLayer<Spec>, path: readonly string[]): void => {
    keepers.add(layer);
    if (unitAt !== undefined) kept.set(layer, (kept.get(layer) ?? new Set<string>()).add(unitOf(path)));
  };
  visitFields(
    side,
    result,
    (field) => {
      for (const layer of field.by) {
        const winners = winnersOf(field, layer, opponents, step.strategy);
        if (winners === undefined) {
          keep(layer, field.path);
          continue;
        }
        if (holdersOf(field).includes(layer)) keepers.add(layer); // It has lost items alone.
        const loss = lossOf(layer, winners, sharedPointer(layer, formatPointer(field.path)), field.value);
        const fields = lost.get(layer) ?? [];
        lost.set(layer, fields);
        fields.push(unitAt === undefined ? loss : { ...loss, unit: unitOf(field.path) });
      }
    },
    (origins, path) => {
      for (const layer of contributors(origins)) keep(layer, path);
    },
  );
  return layers.flatMap((layer): LayerLoss<Spec> | readonly [] => {
    const fields = lost.get(layer);
    if (fields === undefined) return [];
    const units = kept.get(layer);
    // Of a unit from which `unset` removes a part, only the part is lost.
    const parts =
      units === undefined ? fields : fields.map((it) => (units.has(it.unit) ? { ...it, unit: it.pointer } : it));
    return { fields: parts, isAll: !keepers.has(layer) };
  });
}

/** The pointers to what each layer has lost: losses are many, and are kept. */
const pointers = new WeakMap<Layer<unknown>, Map<string, string>>();

/** Returns a pointer as the losses of a layer have it in all contexts. */
function sharedPointer<Spec>({ layer }: ContextLayer<Spec>, pointer: string): string {
  const known = pointers.get(layer) ?? new Map<string, string>();
  if (known.size === 0) pointers.set(layer, known);
  const there = known.get(pointer);
  if (there === undefined) known.set(pointer, pointer);
  return there ?? pointer;
}

/** Returns the layers that replaced a side of a merge as a whole; `undefined` if none did. */
function victorsOver<Spec>(layers: Layers<Spec>, { result, strategy }: MergeStep<Spec>): Layers<Spec> | undefined {
  if (mergesFields(strategy) || !('by' in result.origins)) return undefined;
  const { by } = result.origins;
  return layers.some(({ policy }) => by.some((victor) => victor.policy === policy)) ? undefined : by;
}

/** Returns the layers that hold a field after a merge. */
function holdersOf<Spec>({ thereBy }: AlignedField<ContextLayer<Spec>>): Layers<Spec> {
  return thereBy === undefined ? nothing : contributors(thereBy);
}

/** Returns the layers that took a field from a layer; `undefined` if the layer still holds the field after the merge. */
function winnersOf<Spec>(
  field: AlignedField<ContextLayer<Spec>>,
  layer: ContextLayer<Spec>,
  opponents: Layers<Spec>,
  strategy: MergeStrategy,
): Layers<Spec> | undefined {
  const { removed, value, there, path } = field;
  const holders = holdersOf(field);
  const isThere = there !== undefined || removed || value === null; // `null` removes the field, so the field is set by its absence.
  const isMerged = mergesFields(strategy) && isEmptyObject(value) && isJsonObject(there);
  const ownList = () => (isJsonObject(layer.spec) ? valueAt(layer.spec, formatPointer(path)) : undefined);
  const isHeld = holders.includes(layer) && isThere && !hasLostItems(value, there, ownList);
  if (isMerged || isHeld) return undefined;
  const others = withoutItem(holders, layer);
  return others.length > 0 ? others : opponents;
}

/**
 * Returns whether a merge has removed an item from a list that several layers make up.
 *
 * @param before The list of its side.
 * @param after The list in the result.
 * @param ownList Returns the list as the layer has it.
 */
function hasLostItems(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  ownList: () => JsonValue | undefined,
): boolean {
  if (before === after || !Array.isArray(before) || !Array.isArray(after)) return false;
  const own = ownList();
  if (!Array.isArray(own)) return false;
  const keysOf = (list: readonly JsonValue[]) => new Set(list.map((it) => equalityKey(it)));
  const [was, is] = [keysOf(before), keysOf(after)];
  return [...keysOf(own)].some((item) => was.has(item) && !is.has(item));
}

function mergesFields({ granularity }: MergeStrategy): boolean {
  return granularity === 'Patch' || granularity === 'Custom';
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

export function sameMembers<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
