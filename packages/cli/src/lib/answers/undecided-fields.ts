import type { EffectiveField, EffectivePolicy } from '@policy-machinery/effective-policy';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { PolicyView } from '../model/world.ts';
import { fieldsFor } from './fields.ts';

/**
 * Returns the undecided fields of an effective policy: their values or authors depend on ages of policies that are not known, or on own values of the
 * target that may prevail.
 *
 * @returns JSON Pointers, in order; `''` for the whole spec if policies have too many orders.
 */
export function undecidedFields(view: PolicyView, { alternatives }: EffectivePolicy<unknown>): readonly string[] {
  if (alternatives === undefined) return [''];
  if (alternatives.length === 1) return [];
  const readings = alternatives.map((alternative) => {
    const byPointer = groupedBy(fieldsFor(alternative.fields, view), ({ pointer }) => pointer);
    const textOf = ({ value, by }: EffectiveField<unknown>): string =>
      JSON.stringify([value, by.map(({ policy }) => policy.locator).sort()]);
    return new Map([...byPointer].map(([pointer, fields]) => [pointer, fields.map(textOf).sort().join()]));
  });
  const pointers = new Set(readings.flatMap((reading) => [...reading.keys()]));
  return [...pointers].filter((pointer) => new Set(readings.map((reading) => reading.get(pointer))).size > 1).sort();
}
