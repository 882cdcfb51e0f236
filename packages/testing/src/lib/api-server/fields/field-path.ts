import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { isSameJson } from '../objects.ts';

/**
 * A path as `managedFields` write it: `f:NAME` for a field, `k:{…}` for the item with these keys, `v:…` for an item that is this
 * value.
 */
export type FieldPath = readonly string[];

function isItem(item: JsonValue, step: string): boolean {
  const named: JsonValue = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return isSameJson(item, named);
  return (
    isJsonObject(item) &&
    isJsonObject(named) &&
    Object.entries(named).every(([key, value]) => isSameJson(item[key], value))
  );
}

/** Returns whether a path leads to a key of an item: to `type` of the item with this `type`. */
export function isKey(path: FieldPath): boolean {
  const [item = '', field = ''] = path.slice(-2);
  if (!item.startsWith('k:') || !field.startsWith('f:')) return false;
  const keys: unknown = JSON.parse(item.slice(2));
  return isJsonObject(keys) && Object.hasOwn(keys, field.slice(2));
}

export function valueAtPath(root: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let value = root;
  for (const step of path) {
    if (step.startsWith('f:')) value = isJsonObject(value) ? value[step.slice(2)] : undefined;
    else value = Array.isArray(value) ? value.find((item: JsonValue) => isItem(item, step)) : undefined;
  }
  return value;
}

/** Returns a copy with another value at a path, or with none. With a value, missing objects on the path are created. */
export function withValueAt(
  root: JsonValue | undefined,
  path: FieldPath,
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (root === undefined && value === undefined) return undefined;
  return step.startsWith('f:') ? withField(root, step.slice(2), rest, value) : withItem(root, step, rest, value);
}

function withField(
  root: JsonValue | undefined,
  field: string,
  rest: FieldPath,
  value: JsonValue | undefined,
): JsonObject {
  const { [field]: fieldValue, ...others } = isJsonObject(root) ? root : {};
  const changedValue = withValueAt(fieldValue, rest, value);
  if (changedValue === undefined) return others;
  // The order of the fields stays.
  return isJsonObject(root) ? { ...root, [field]: changedValue } : { [field]: changedValue };
}

function withItem(
  root: JsonValue | undefined,
  step: string,
  rest: FieldPath,
  value: JsonValue | undefined,
): readonly JsonValue[] {
  const items: readonly JsonValue[] = Array.isArray(root) ? root : [];
  const index = items.findIndex((item) => isItem(item, step));
  const changedItem = withValueAt(items[index], rest, value);
  if (index < 0) return changedItem === undefined ? items : [...items, changedItem];
  return items.flatMap((item, position) =>
    position !== index ? [item] : changedItem === undefined ? [] : [changedItem],
  );
}

/** Returns a path as messages have it: `.status.conditions[type="Accepted"].reason`. */
export function formatFieldPath(path: FieldPath): string {
  return path.map(formatStep).join('');
}

function formatStep(step: string): string {
  const rest = step.slice(2);
  if (step.startsWith('f:')) return `.${rest}`;
  if (step.startsWith('v:')) return `[=${rest}]`;
  const keys: unknown = JSON.parse(rest);
  const pairs = isJsonObject(keys) ? Object.entries(keys).map(([key, value]) => `${key}=${JSON.stringify(value)}`) : [];
  return `[${pairs.join(',')}]`;
}
