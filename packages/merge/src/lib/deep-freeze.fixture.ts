import type { JsonValue } from '@policy-machinery/resource';

/** Freezes a value and everything in it, so that any change throws. */
export function deepFreeze<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const field of Object.values(value)) deepFreeze(field as JsonValue);
  return Object.freeze(value);
}
