import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { PolicyView } from '../model/world.ts';
import { fieldsFor } from './fields.ts';

/**
 * Returns the undecided fields of an effective policy: their values or authors depend on ages of policies that are not known, or on own values of the
 * target that may prevail.
 *
 * @param view The kind.
 * @param policy The effective policy.
 * @returns JSON Pointers, in order; `''` for the whole spec if policies have too many orders.
 */
export function undecidedFields(view: PolicyView, { alternatives }: EffectivePolicy<unknown>): readonly string[] {
  if (alternatives === undefined) return [''];
  if (alternatives.length === 1) return [];
  const readings = alternatives.map((alternative) => {
    const byPointer = new Map<string, string[]>();
    for (const { pointer, value, by } of fieldsFor(alternative.fields, view)) {
      const text = JSON.stringify([value, by.map(({ policy }) => policy.locator).sort()]);
      byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), text]);
    }
    return new Map([...byPointer].map(([pointer, texts]) => [pointer, texts.sort().join()]));
  });
  const pointers = new Set(readings.flatMap((reading) => [...reading.keys()]));
  return [...pointers].filter((pointer) => new Set(readings.map((reading) => reading.get(pointer))).size > 1).sort();
}
