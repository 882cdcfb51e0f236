import type { Issue, JsonObject, JsonValue } from '@policy-machinery/resource';
import type { FieldRule } from './patterns.ts';

/** One fault of a field, without its consequences. */
export type Fault = Pick<Issue, 'message' | 'pointer'>;

/** Keys from the root of a resource to one of its fields. */
export type Path = readonly (string | number)[];

/** The rule for each field of a reference. */
export type FieldRules = readonly (readonly [field: string, FieldRule])[];

/**
 * Returns the faults in the fields of a reference.
 *
 * @param entry The reference.
 * @param pointer The JSON Pointer to the reference.
 * @param rules The rule for each field.
 * @returns A fault for each field that breaks its rule.
 */
export function fieldFaults(entry: JsonObject, pointer: string, rules: FieldRules): readonly Fault[] {
  let faults: readonly Fault[] = none;
  for (const [field, rule] of rules) {
    const message = faultOf(field, entry[field], rule);
    if (message !== undefined) faults = [...faults, { message, pointer: `${pointer}/${field}` }];
  }
  return faults;
}

export const none: readonly never[] = [];

function faultOf(field: string, value: JsonValue | undefined, rule: FieldRule): string | undefined {
  if (!isSet(value)) return rule.required ? `${field} is missing; set it to ${rule.expected}` : undefined;
  if (typeof value === 'string' && value.length <= rule.maxLength && rule.pattern.test(value)) return undefined;
  return `${field} is ${describe(value)}; expected ${rule.expected}, at most ${rule.maxLength} characters`;
}

/** Describes a value in a message briefly, whatever a tenant writes. */
export function describe(value: JsonValue): string {
  if (typeof value === 'string') return value.length > 40 ? `"${value.slice(0, 40)}…"` : JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** Returns whether a value is set. `null` counts as absent, as for the API server. */
export function isSet<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
