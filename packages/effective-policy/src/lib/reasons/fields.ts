import { listFields, listOrigins, originsAt } from '@policy-machinery/merge';
import { type JsonValue, valueAt } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from '../fold/context-layer.ts';
import { isWithin, prefixesOf } from '../support/pointers.ts';
import type { FieldLoss } from './losses.ts';

/** A field that some layer of a context sets: what it is in the end, who set it, and over whom. */
export interface EffectiveField<Spec> {
  /** JSON Pointer to the field, from the root of the spec. */
  readonly pointer: string;
  /** The value; `undefined` for a field that is not in the effective spec. */
  readonly value: JsonValue | undefined;
  /**
   * Who set it: usually one layer, several where a strategy combined their values. For a field that a patch removed, who
   * removed it; empty for a field that was replaced together with the rest of its spec.
   */
  readonly by: readonly ContextLayer<Spec>[];
  /** Who would have set it, in the order in which they lost. */
  readonly over: readonly FieldLoss<Spec>[];
}

/**
 * Brings together the fields of an effective spec and those that were lost: a loss stands with the field of its pointer,
 * with a part of it, or with what it is a part of; else it makes a field that is not in the spec.
 */
export function fieldsOf<Spec>(
  spec: TracedSpec<Spec>,
  losses: Iterable<FieldLoss<Spec>>,
): readonly EffectiveField<Spec>[] {
  const fields = new Map<string, EffectiveField<Spec> & { over: FieldLoss<Spec>[] }>();
  const within = new Map<string, string[]>();
  for (const { pointer, value, by } of listFields(spec)) {
    fields.set(pointer, { pointer, value, by, over: [] });
    for (const prefix of prefixesOf(pointer)) {
      const there = within.get(prefix) ?? [];
      within.set(prefix, there);
      there.push(pointer);
    }
  }
  for (const loss of losses) {
    const around = prefixesOf(loss.pointer).filter((prefix) => (fields.get(prefix)?.by.length ?? 0) > 0);
    const there = fields.has(loss.pointer) ? [loss.pointer] : [...around, ...(within.get(loss.pointer) ?? [])];
    if (there.length === 0) fields.set(loss.pointer, { pointer: loss.pointer, value: undefined, by: [], over: [] });
    for (const pointer of there.length === 0 ? [loss.pointer] : there) fields.get(pointer)?.over.push(loss);
  }
  return [...fields.values()];
}

/** The layers that set a field or a part of it, or removed it; none if the field is absent and was not removed. */
export function settersOf<Spec>({ value, origins }: TracedSpec<Spec>, pointer: string): readonly ContextLayer<Spec>[] {
  if (valueAt(value, pointer) !== undefined) return originsAt(origins, pointer);
  return listOrigins(origins).find((origin) => origin.removed && isWithin(pointer, origin.pointer))?.by ?? [];
}
