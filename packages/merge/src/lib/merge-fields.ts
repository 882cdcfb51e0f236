import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { checkDepth } from './depth.ts';
import type { FieldRule } from './field-rule.ts';
import { interleave } from './interleave.ts';
import { itemKey } from './item-key.ts';
import { contributors } from './origin-queries.ts';
import { isLeaf, joinOrigins, type OriginLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

type Anything<Origin> = Traced<Origin, JsonValue>;

/**
 * Merges two values field by field and keeps track of who set each field. A field that only one of them has is kept; where both
 * have a value, the rule decides.
 *
 * A removal is remembered in the origins, so that it still holds when the result is merged over a third value. Untouched parts
 * are shared, not copied, and `__proto__` is a key like any other.
 *
 * @param yielding The value that yields where both have a field.
 * @param prevailing The value that prevails.
 * @param rule How they are merged.
 * @returns The result; the inputs are not changed. Costs O(fields of `prevailing` and of the objects it touches).
 * @throws {PolicyMachineryError} `too-deep`, if `prevailing` is nested more than 500 levels deep.
 */
export function mergeFields<Origin>(
  yielding: Traced<Origin>,
  prevailing: Traced<Origin>,
  rule: FieldRule,
): Traced<Origin> {
  return mergeObjects(yielding, prevailing, rule, 0);
}

/**
 * Converts each `null` that removes into a removal, so that it also counts if the spec is merged with no other.
 *
 * @param spec A spec. It is not changed, and is returned if nothing is removed.
 * @param rule Where `null` removes.
 * @returns The spec without these fields, with their removals in its origins.
 */
export function withRemovals<Origin>(spec: Traced<Origin>, rule: FieldRule): Traced<Origin> {
  if (!holdsNull(spec.value, 0)) return spec;
  const nothing: Traced<Origin> = { value: {}, origins: { fields: new Map() } };
  return mergeObjects(nothing, spec, rule, 0);
}

function holdsNull(value: JsonValue, depth: number): boolean {
  checkDepth(depth);
  if (value === null) return true;
  if (Array.isArray(value)) return value.some((item) => holdsNull(item, depth + 1));
  if (!isJsonObject(value)) return false;
  for (const key of Object.keys(value)) if (holdsNull(value[key] as JsonValue, depth + 1)) return true;
  return false;
}

/** The intermediate result of a merge. */
interface Result<Origin> {
  readonly value: Record<string, JsonValue>;
  readonly fields: Map<string, Origins<Origin>>;
}

function mergeObjects<Origin>(
  yielding: Traced<Origin> | undefined,
  prevailing: Traced<Origin>,
  rule: FieldRule,
  depth: number,
): Traced<Origin> {
  checkDepth(depth);
  const value: JsonObject = {};
  const fields = new Map<string, Origins<Origin>>();
  if (yielding !== undefined) keepFields(yielding, { value, fields });

  for (const key of Object.keys(prevailing.value)) {
    const theirs = prevailing.value[key] as JsonValue;
    const origins = originsOfField(prevailing.origins, key) ?? prevailing.origins;
    if (theirs === null && rule.nullRemoves) {
      remove(value, fields, key, origins as OriginLeaf<Origin>);
      continue;
    }
    const ofField = rule.of(key);
    if (isTakenWhole(theirs, ofField)) {
      setField(value, key, theirs);
      fields.set(key, origins);
      continue;
    }
    const ours = yielding === undefined ? undefined : fieldOf(yielding, key);
    const merged = meet(ours, { value: theirs, origins }, ofField, depth + 1);
    setField(value, key, merged.value);
    fields.set(key, merged.origins);
  }
  keepRemovals(yielding, prevailing, rule, { value, fields }, depth);
  return { value, origins: joinOrigins(fields, prevailing.origins) };
}

/** Returns whether a prevailing value stays unchanged, whatever it meets. */
function isTakenWhole(theirs: JsonValue, { strategy }: FieldRule): boolean {
  return strategy === 'replace' || (strategy === 'merge' && !isJsonObject(theirs));
}

function meet<Origin>(
  ours: Anything<Origin> | undefined,
  theirs: Anything<Origin>,
  rule: FieldRule,
  depth: number,
): Anything<Origin> {
  const { strategy } = rule;
  if (strategy === 'replace') return theirs;
  if (strategy === 'merge') {
    if (!isObject(theirs)) return theirs;
    const base = ours !== undefined && isObject(ours) ? ours : undefined;
    return base === undefined && !rule.nullRemoves ? theirs : mergeObjects(base, theirs, rule, depth);
  }
  if ('keys' in strategy) return mergeLists(ours, theirs, rule, strategy.keys, depth) ?? theirs;
  if (ours === undefined) return theirs;
  const value = strategy.combine(theirs.value, ours.value);
  if (value === undefined) return theirs;
  return { value, origins: { by: [...new Set([...contributors(theirs.origins), ...contributors(ours.origins)])] } };
}

/**
 * Merges items with the same key by the rule for items, in the order of {@link interleave}. If an item is not an object, or one list has a
 * key twice, the prevailing list is used as if it were alone.
 */
function mergeLists<Origin>(
  ours: Anything<Origin> | undefined,
  theirs: Anything<Origin>,
  rule: FieldRule,
  keys: readonly string[],
  depth: number,
): Anything<Origin> | undefined {
  const ourItems = ours === undefined ? undefined : itemsByKey(ours, keys);
  if (ourItems === undefined && !rule.nullRemoves) return undefined;
  const theirItems = itemsByKey(theirs, keys);
  if (theirItems === undefined) return undefined;
  const ofItem = rule.of('*');
  const items: Anything<Origin>[] = [];
  for (const key of interleave(ourItems?.keys() ?? [], theirItems.keys())) {
    const [ourItem, theirItem] = [ourItems?.get(key), theirItems.get(key)];
    const isMerged = theirItem !== undefined && (ourItem !== undefined || rule.nullRemoves);
    const item = isMerged ? meet(ourItem, theirItem, ofItem, depth + 1) : (theirItem ?? ourItem);
    if (item !== undefined) items.push(item);
  }
  const fields = new Map<string, Origins<Origin>>();
  for (const { origins } of items) fields.set(String(fields.size), origins);
  const origins = joinOrigins(fields, theirs.origins);
  return {
    value: items.map(({ value }) => value),
    origins: isLeaf(origins) ? origins : { fields: origins.fields, keys },
  };
}

function itemsByKey<Origin>(
  { value: list, origins }: Anything<Origin>,
  keys: readonly string[],
): ReadonlyMap<string, Traced<Origin>> | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, Traced<Origin>>();
  for (const [index, value] of list.entries()) {
    if (!isJsonObject(value)) return undefined;
    items.set(itemKey(value, keys), { value, origins: originsOfField(origins, String(index)) ?? origins });
  }
  return items.size === list.length ? items : undefined;
}

/** Carries over the removals of the prevailing side: fields that it removed, or parts of fields that it does not have. */
function keepRemovals<Origin>(
  yielding: Traced<Origin> | undefined,
  prevailing: Traced<Origin>,
  rule: FieldRule,
  result: Result<Origin>,
  depth: number,
): void {
  if (isLeaf(prevailing.origins)) return;
  for (const [key, origins] of prevailing.origins.fields) {
    if (isLeaf(origins) && !origins.removed) continue;
    if (Object.hasOwn(prevailing.value, key)) continue;
    if (isLeaf(origins)) {
      remove(result.value, result.fields, key, origins);
      continue;
    }
    const ours = yielding === undefined ? undefined : fieldOf(yielding, key);
    if (ours === undefined) {
      if (!isRemoval(result.fields.get(key))) result.fields.set(key, origins); // A whole is removed with all its parts.
      continue;
    }
    if (!isObject(ours)) continue;
    const merged = mergeObjects(ours, { value: {}, origins }, rule.of(key), depth + 1);
    setField(result.value, key, merged.value);
    result.fields.set(key, merged.origins);
  }
}

function isRemoval<Origin>(origins: Origins<Origin> | undefined): boolean {
  return origins !== undefined && isLeaf(origins) && origins.removed === true;
}

function isObject<Origin>(traced: Anything<Origin>): traced is Traced<Origin> {
  return isJsonObject(traced.value);
}

function fieldOf<Origin>({ value, origins }: Traced<Origin>, key: string): Anything<Origin> | undefined {
  if (!Object.hasOwn(value, key)) return undefined;
  return { value: value[key] as JsonValue, origins: originsOfField(origins, key) ?? origins };
}

/** Copies field by field, because an object that begins with a spread has its own shape. */
function keepFields<Origin>({ value, origins }: Traced<Origin>, result: Result<Origin>): void {
  const isWhole = isLeaf(origins);
  for (const key of Object.keys(value)) {
    setField(result.value, key, value[key] as JsonValue);
    if (isWhole) result.fields.set(key, origins);
  }
  if (!isWhole) for (const [key, field] of origins.fields) result.fields.set(key, field);
}

function remove<Origin>(
  value: Record<string, JsonValue>,
  fields: Map<string, Origins<Origin>>,
  key: string,
  { by }: OriginLeaf<Origin>,
): void {
  delete value[key];
  fields.set(key, { by, removed: true });
}

/** Sets a field. An assignment to `__proto__` would set the prototype. */
function setField(value: JsonObject, key: string, field: JsonValue): void {
  if (key !== '__proto__') (value as Record<string, JsonValue>)[key] = field;
  else Object.defineProperty(value, key, { value: field, enumerable: true, configurable: true, writable: true });
}
