import { isJsonObject, type JsonObject } from '@policy-machinery/resource';

/** The metadata of an object that an API server has stored. */
export type ServerMeta = JsonObject & {
  readonly name: string;
  /** Absent on cluster-scoped objects. */
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly JsonObject[];
};

/** An object that an API server has stored, as it serves it. */
export type ServerObject = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ServerMeta;
};

/** Returns the metadata of an object that a client sends, which may have any value. */
export function metadataIn(body: JsonObject): JsonObject {
  return isJsonObject(body.metadata) ? body.metadata : {};
}

/** Returns a copy of an object without some of its fields. */
export function without(object: JsonObject, ...fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

/** Returns whether two JSON values are equal. The order of fields does not count. */
export function isSameJson(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  if (Array.isArray(value)) {
    return (
      Array.isArray(other) &&
      value.length === other.length &&
      value.every((item, index) => isSameJson(item, other[index]))
    );
  }
  if (!isJsonObject(value) || !isJsonObject(other)) return false;
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(value[key], other[key]))
  );
}

/** Returns the time as objects have it: RFC 3339, to the second. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}Z`;
}
