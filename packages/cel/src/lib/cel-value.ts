import { type CelValue, celList, celMap } from '@bufbuild/cel';
import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import type { Meter } from './meter.ts';

/**
 * Returns a value for CEL: integers are ints, other numbers are doubles, and the keys of objects are only keys.
 *
 * The evaluator has nothing left to convert: it would treat all numbers as doubles, and read the `constructor` of objects.
 */
export function celValueOf(value: JsonValue | undefined, meter: Meter): CelValue {
  meter.chargeValue();
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (isList(value)) {
    const items: CelValue[] = [];
    for (const item of value) items.push(celValueOf(item, meter));
    return celList(items);
  }
  if (isJsonObject(value)) {
    const fields = new Map<string, CelValue>();
    for (const [key, field] of Object.entries(value)) {
      if (field !== undefined) fields.set(key, celValueOf(field, meter));
    }
    return celMap(fields);
  }
  throw new Error(`the spec contains a value of type ${typeof value}, which is not JSON`);
}

/** Returns whether a value is a list. `Array.isArray` does not narrow read-only lists. */
const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);
