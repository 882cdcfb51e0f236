/*
 * reasons/ takes the steps where layers were merged, and returns the share of each policy: the fields that it set, and its losses, with
 * the layers and rules that prevailed. A share is the outcome of one policy in one context.
 */
import type { StrategyName } from '@policy-machinery/merge';
import type { JsonValue } from '@policy-machinery/resource';
import type { ContextLayer } from '../fold/context-layer.ts';
import type { Rule } from '../fold/rule.ts';

/** A layer, or a field of it, that did not make it into the effective policy. */
export interface Loss<Spec> {
  /** The layer that lost. */
  readonly layer: ContextLayer<Spec>;
  /** JSON Pointer to the lost part, from the root of the spec proper; `''` for all that the layer had left. */
  readonly pointer: string;
  /**
   * The layers that set the field instead, or replaced the whole spec, in the merge that decided. They may have lost the field in turn. Empty for a
   * condition with nothing below it.
   */
  readonly winners: readonly ContextLayer<Spec>[];
  /** The strategy that decided, by its name in GEP-713. */
  readonly strategy: StrategyName;
  /** The dialect's name for the strategy, if it has one. */
  readonly dialectName: string | undefined;
  /** Why that strategy applied, in the system's words: `mergeType is not set`; `undefined` if GEP-713's words are enough. */
  readonly because?: string | undefined;
  /** Why the winner won. */
  readonly rule: Rule;
  /** The layers that finally set the lost part, the winners or others. Empty if none does, for a conflict, and for a condition. */
  readonly holders: readonly ContextLayer<Spec>[];
}

/** One field that a layer lost. */
export interface FieldLoss<Spec> extends Loss<Spec> {
  /** The value that the layer set; `undefined` if the layer removed the field. */
  readonly value: JsonValue | undefined;
  /** JSON Pointer to the part that the strategy takes as a whole, such as the named rule around the field; else the field's pointer. */
  readonly unit: string;
}

export interface LayerLoss<Spec> {
  readonly fields: readonly FieldLoss<Spec>[];
  /** Whether the layer has nothing left. */
  readonly isAll: boolean;
}

export interface ContextLosses<Spec> {
  readonly losses: readonly LayerLoss<Spec>[];
  /** The layers that set a value which the result has from another layer: they are in force with it. */
  readonly agreeing: readonly ContextLayer<Spec>[];
  /** Returns the agreeing layers at, in or around a field. */
  readonly agreeingAt: (pointer: string) => readonly ContextLayer<Spec>[];
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

/** Returns the losses of some fields as one at a pointer; `undefined` if their winners differ. */
function inOne<Spec>(fields: readonly FieldLoss<Spec>[], pointer: string): Loss<Spec> | undefined {
  const [first] = fields;
  if (first === undefined || !fields.every(({ winners }) => sameMembers(winners, first.winners))) return undefined;
  const isAlike = fields.every(({ holders }) => holders === first.holders);
  const holders = isAlike ? first.holders : [...new Set(fields.flatMap((field) => field.holders))];
  return { ...withoutValue(first), pointer, holders };
}

function withoutValue<Spec>(loss: Loss<Spec>): Loss<Spec> {
  const { layer, pointer, winners, strategy, dialectName, because, rule, holders } = loss;
  return { layer, pointer, winners, strategy, dialectName, because, rule, holders };
}

/** Returns whether a loss is a conflict. A policy on a section does not conflict with one on the whole object. */
export function isConflict<Spec>({ strategy, rule }: Loss<Spec>): boolean {
  return strategy === 'None' && rule !== 'more-specific' && rule !== 'less-specific';
}

/** Returns whether two lists have the same items, each once, in any order. */
export function sameMembers<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
