import { contributors, type MergeStrategy, strategyName } from '@policy-machinery/merge';
import { type AlignedField, equalityKey, isDeepEqual, visitFields } from '@policy-machinery/merge/inner';
import type { Layer } from '@policy-machinery/policy-kind';
import { formatPointer, isJsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import type { MergeStep } from '../fold/operand.ts';
import { mergesFields } from '../levels/counting-policies.ts';
import { withoutItem } from '../support/same.ts';
import type { EqualValues } from './equal-values.ts';
import type { FieldLoss, LayerLoss } from './loss.ts';

type Layers<Spec> = readonly ContextLayer<Spec>[];
const nothing: readonly never[] = [];

/**
 * Returns the losses of the layers of one side of a merge to the other side.
 *
 * @param known The values that layers have in common with others, and whether a spec that was replaced as a whole is one loss.
 */
export function lossesOfSide<Spec>(
  side: TracedSpec<Spec>,
  other: TracedSpec<Spec>,
  step: MergeStep<Spec>,
  { equal, inShort }: { readonly equal: EqualValues<Spec>; readonly inShort: boolean },
): readonly LayerLoss<Spec>[] {
  if (side === step.result) return nothing;
  const lossOf = lossIn(step);
  const layers = [...new Set([...contributors(side.origins), ...equal.in(side)])];
  const victors = victorsOver(layers, step);
  const isWhole = inShort && victors !== undefined && !isDeepEqual(side.value, step.result.value);
  if (isWhole) {
    return layers.map((layer) => ({ fields: [lossOf(layer, victors, '', side.value, victors)], isAll: true }));
  }
  const equalAt = equal.at(side, step.result);
  const opponents = contributors(other.origins);
  const balances = new LossesByLayer<Spec>(step.strategy.unitAt);
  const visit = (field: AlignedField<ContextLayer<Spec>>): void => {
    const place = formatPointer(field.path);
    const isKept = field.by.some((layer) => winnersOf(field, layer, opponents, step.strategy) === undefined);
    const agreeing = equalAt(place);
    for (const layer of agreeing.length === 0 ? field.by : new Set([...field.by, ...agreeing])) {
      const isOwn = field.by.includes(layer);
      const winners = winnersOf(field, layer, opponents, step.strategy);
      if (isOwn ? winners === undefined : isKept) {
        balances.keep(layer, field.path);
        if (!isOwn) equal.add(layer, place, step.result);
      } else {
        const loss = lossOf(layer, winners ?? opponents, sharedPointer(layer, place), field.value);
        balances.lose(loss, field, isEqual(field, step));
      }
    }
  };
  visitFields(side, step.result, visit, (origins, path) => {
    for (const layer of contributors(origins)) balances.keep(layer, path);
    const place = formatPointer(path);
    for (const layer of equalAt(place)) {
      balances.keep(layer, path);
      equal.add(layer, place, step.result);
    }
  });
  const losses = layers.flatMap((layer) => balances.of(layer) ?? []);
  for (const { layer, pointer } of balances.agreed) equal.add(layer, pointer, step.result);
  return losses;
}

/** Returns a function that returns a loss in a merge. */
function lossIn<Spec>({ ruleBetween, dialectName, because, strategy: by, stanza }: MergeStep<Spec>) {
  const strategy = strategyName(by, stanza);
  return (
    layer: ContextLayer<Spec>,
    winners: Layers<Spec>,
    pointer: string,
    value: JsonValue | undefined,
    holders: Layers<Spec> = nothing,
  ): FieldLoss<Spec> => {
    const [winner = layer] = winners;
    const rule = ruleBetween(winner, layer);
    return { layer, pointer, unit: pointer, value, winners, strategy, dialectName, because, rule, holders };
  };
}

/** The losses of a layer in a merge, and whether it has something left. */
interface Balance<Spec> {
  readonly lost: FieldLoss<Spec>[];
  /** The fields that the winners set to the same value. */
  readonly agreed: FieldLoss<Spec>[];
  hasLeft: boolean;
  /** The units that the layer kept in part, for strategies with units. */
  readonly kept: Set<string> | undefined;
}

/** The fields that the layers of one side of a merge lost and kept. */
class LossesByLayer<Spec> {
  /** The fields that layers have in common with the winners, and so have not lost. */
  readonly agreed: FieldLoss<Spec>[] = [];
  readonly #unitAt: MergeStrategy['unitAt'];
  readonly #balances = new Map<ContextLayer<Spec>, Balance<Spec>>();

  constructor(unitAt: MergeStrategy['unitAt']) {
    this.#unitAt = unitAt;
  }

  keep(layer: ContextLayer<Spec>, path: readonly string[]): void {
    const balance = this.#of(layer);
    balance.hasLeft = true;
    balance.kept?.add(this.#unitOf(path));
  }

  /** Records a loss. A field that the winners set to the same value is lost only with the rest of its unit. */
  lose(loss: FieldLoss<Spec>, field: AlignedField<ContextLayer<Spec>>, isEqualValue: boolean): void {
    const balance = this.#of(loss.layer);
    balance[isEqualValue ? 'agreed' : 'lost'].push(this.#inUnit(loss, field.path));
    if (!isEqualValue && holdersOf(field).includes(loss.layer)) balance.hasLeft = true; // It has lost items alone.
  }

  #inUnit(loss: FieldLoss<Spec>, path: readonly string[]): FieldLoss<Spec> {
    return this.#unitAt === undefined ? loss : { ...loss, unit: this.#unitOf(path) };
  }

  /** Returns the losses of a layer; `undefined` if it lost nothing. */
  of(layer: ContextLayer<Spec>): LayerLoss<Spec> | undefined {
    const { lost, kept, agreed, hasLeft } = this.#of(layer);
    const units = new Set(
      agreed.length === 0 ? nothing : lost.map(({ unit, pointer }) => (unit === pointer ? '' : unit)),
    );
    for (const field of agreed) (units.has(field.unit) ? lost : this.agreed).push(field);
    if (lost.length === 0) return undefined;
    // If `unset` removes a part of a unit, only the part is lost.
    const fields = kept === undefined ? lost : lost.map((it) => (kept.has(it.unit) ? { ...it, unit: it.pointer } : it));
    return { fields, isAll: !hasLeft && agreed.every((field) => lost.includes(field)) };
  }

  #of(layer: ContextLayer<Spec>): Balance<Spec> {
    const knownBalance = this.#balances.get(layer);
    if (knownBalance !== undefined) return knownBalance;
    const balance = {
      lost: [],
      agreed: [],
      hasLeft: false,
      kept: this.#unitAt === undefined ? undefined : new Set<string>(),
    };
    this.#balances.set(layer, balance);
    return balance;
  }

  #unitOf(path: readonly string[]): string {
    return formatPointer(this.#unitAt === undefined ? path : path.slice(0, this.#unitAt(path)));
  }
}

/** The pointers to the losses of each layer: losses are many, and are kept. */
const pointers = new WeakMap<Layer<unknown>, Map<string, string>>();

/** Returns a pointer as the losses of a layer have it in all contexts. */
function sharedPointer<Spec>({ layer }: ContextLayer<Spec>, pointer: string): string {
  const pointersOfLayer = pointers.get(layer) ?? new Map<string, string>();
  if (pointersOfLayer.size === 0) pointers.set(layer, pointersOfLayer);
  const sharedPointers = pointersOfLayer.get(pointer);
  if (sharedPointers === undefined) pointersOfLayer.set(pointer, pointer);
  return sharedPointers ?? pointer;
}

/** Returns the layers that replaced a side of a merge as a whole; `undefined` if none did. */
function victorsOver<Spec>(layers: Layers<Spec>, { result, strategy }: MergeStep<Spec>): Layers<Spec> | undefined {
  if (mergesFields(strategy) || !('by' in result.origins)) return undefined;
  const { by } = result.origins;
  return layers.some(({ policy }) => by.some((victor) => victor.policy === policy)) ? undefined : by;
}

/** Returns whether a field has the same value after a merge. Under None, one policy stays, whatever the values. */
function isEqual<Spec>(
  { value, result, removed, resultBy }: AlignedField<ContextLayer<Spec>>,
  { strategy, isUnmet }: MergeStep<Spec>,
): boolean {
  if (strategy.granularity === 'None' || isUnmet) return false;
  if (removed) return result === undefined && resultBy !== undefined && 'by' in resultBy && resultBy.removed === true;
  return value !== undefined && result !== undefined && isDeepEqual(value, result);
}

/** Returns the layers that hold a field after a merge. */
function holdersOf<Spec>({ resultBy }: AlignedField<ContextLayer<Spec>>): Layers<Spec> {
  return resultBy === undefined ? nothing : contributors(resultBy);
}

/** Returns the layers that took a field from a layer; `undefined` if the layer still holds the field after the merge. */
function winnersOf<Spec>(
  field: AlignedField<ContextLayer<Spec>>,
  layer: ContextLayer<Spec>,
  opponents: Layers<Spec>,
  strategy: MergeStrategy,
): Layers<Spec> | undefined {
  const { removed, value, result, path } = field;
  const holders = holdersOf(field);
  const isThere = result !== undefined || removed || value === null; // `null` removes the field, so the field is set by its absence.
  const isMerged = mergesFields(strategy) && isEmptyObject(value) && isJsonObject(result);
  const ownList = () => (isJsonObject(layer.spec) ? valueAt(layer.spec, formatPointer(path)) : undefined);
  const isHeld = holders.includes(layer) && isThere && !hasLostItems(value, result, ownList);
  if (isMerged || isHeld) return undefined;
  const others = withoutItem(holders, layer);
  return others.length > 0 ? others : opponents;
}

/**
 * Returns whether a merge has removed an item from a list that several layers make up.
 *
 * @param valueBefore The list of its side.
 * @param valueAfter The list in the result.
 * @param ownList Returns the list as the layer has it.
 */
function hasLostItems(
  valueBefore: JsonValue | undefined,
  valueAfter: JsonValue | undefined,
  ownList: () => JsonValue | undefined,
): boolean {
  if (valueBefore === valueAfter || !Array.isArray(valueBefore) || !Array.isArray(valueAfter)) return false;
  const ownItems = ownList();
  if (!Array.isArray(ownItems)) return false;
  const keysOf = (list: readonly JsonValue[]) => new Set(list.map((it) => equalityKey(it)));
  const [was, is] = [keysOf(valueBefore), keysOf(valueAfter)];
  return [...keysOf(ownItems)].some((item) => was.has(item) && !is.has(item));
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
