import { type FieldOrigin, listFields, listOrigins, originsAt } from '@policy-machinery/merge';
import { type JsonValue, valueAt } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import { isWithin, prefixesOf } from '../support/pointers.ts';
import type { ContextLosses, FieldLoss } from './loss.ts';

/** A field that a layer of a context sets: its effective value, the layers that set it, and those that lost. */
export interface EffectiveField<Spec> {
  /** JSON Pointer to the field, from the root of the spec. */
  readonly pointer: string;
  /** The value; `undefined` for a field that is not in the effective spec. */
  readonly value: JsonValue | undefined;
  /**
   * The layers that set the field: usually one, several where a strategy combined their values. For a field that a patch removed, the
   * layers that removed it; empty for a field that was replaced together with the rest of its spec.
   */
  readonly by: readonly ContextLayer<Spec>[];
  /** The losses of the layers that would have set the field, in the order of the merges. */
  readonly over: readonly FieldLoss<Spec>[];
  /** The layers that set the same value without prevailing: they have not lost it. */
  readonly agreeing: readonly ContextLayer<Spec>[];
}

/**
 * Returns the fields of an effective spec with the losses. A loss belongs to the field at its pointer; else to the fields that contain
 * the pointer or are below it; else to its own field, without a value.
 */
export function fieldsOf<Spec>(
  spec: TracedSpec<Spec>,
  { losses, agreeingAt }: ContextLosses<Spec>,
): readonly EffectiveField<Spec>[] {
  const fields = new Map<string, EffectiveField<Spec> & { over: FieldLoss<Spec>[] }>();
  const within = new Map<string, string[]>();
  for (const { pointer, value, by } of listFields(spec)) {
    fields.set(pointer, { pointer, value, by, over: [], agreeing: agreeingAt(pointer) });
    for (const prefix of prefixesOf(pointer)) {
      const pointers = within.get(prefix) ?? [];
      within.set(prefix, pointers);
      pointers.push(pointer);
    }
  }
  for (const loss of losses.flatMap((it) => it.fields)) {
    const around = prefixesOf(loss.pointer).filter((prefix) => (fields.get(prefix)?.by.length ?? 0) > 0);
    const places = fields.has(loss.pointer) ? [loss.pointer] : [...around, ...(within.get(loss.pointer) ?? [])];
    const empty = { pointer: loss.pointer, value: undefined, by: [], over: [], agreeing: [] };
    if (places.length === 0) fields.set(loss.pointer, empty);
    for (const pointer of places.length === 0 ? [loss.pointer] : places) fields.get(pointer)?.over.push(loss);
  }
  return [...fields.values()];
}

/** Returns the layers that set a field or a part of it, or removed it; none if the field is absent and was not removed. */
export function settersOf<Spec>(spec: TracedSpec<Spec>, pointer: string): readonly ContextLayer<Spec>[] {
  return holdersIn(spec)(pointer);
}

/** Returns a function that finds the layers that set a field of a spec, as {@link settersOf} does. */
export function holdersIn<Spec>({
  value,
  origins,
}: TracedSpec<Spec>): (pointer: string) => readonly ContextLayer<Spec>[] {
  let removals: readonly FieldOrigin<ContextLayer<Spec>>[] | undefined;
  const holdersAt = (pointer: string): readonly ContextLayer<Spec>[] => {
    if (valueAt(value, pointer) !== undefined) return originsAt(origins, pointer);
    removals ??= listOrigins(origins).filter(({ removed }) => removed);
    return removals.find((it) => isWithin(pointer, it.pointer))?.by ?? [];
  };
  const holdersByPointer = new Map<string, readonly ContextLayer<Spec>[]>(); // Several layers lose the same field.
  return (pointer) => {
    const holders = holdersByPointer.get(pointer) ?? holdersAt(pointer);
    holdersByPointer.set(pointer, holders);
    return holders;
  };
}
