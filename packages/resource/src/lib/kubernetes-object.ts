import { isJsonObject, type JsonObject } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { nameOfNoJson } from './no-json.ts';

/** The metadata that this library reads. Objects may have more. */
export interface ObjectMeta {
  readonly name: string;
  /** Absent on cluster-scoped resources. */
  readonly namespace?: string;
  readonly uid?: string;
  /** RFC 3339, to the second. */
  readonly creationTimestamp?: string | null;
  /** RFC 3339; when the deletion of the resource began. Finalizers may still keep the resource. */
  readonly deletionTimestamp?: string | null;
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly annotations?: Readonly<Record<string, string>> | null;
}

/** A Kubernetes resource as the API server serves it: plain JSON, which this library never wraps or changes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * Returns the spec of a resource, which may not fit its schema.
 *
 * @param resource Any Kubernetes resource.
 * @returns Its spec; an empty object if the spec is missing or is not an object.
 */
export function specOf(resource: KubernetesObject): JsonObject {
  return isJsonObject(resource.spec) ? resource.spec : {};
}

/**
 * Returns whether a condition is about the current generation of a resource. Not all controllers report the generation that they have seen.
 *
 * @param condition The condition, which may be anything.
 * @param resource The resource that has the condition in its status.
 * @returns `false` only if both generations are known and the condition is about an earlier one.
 */
export function isCurrent(
  { observedGeneration }: { readonly observedGeneration?: unknown },
  { metadata: { generation } }: KubernetesObject,
): boolean {
  return typeof generation !== 'number' || typeof observedGeneration !== 'number' || observedGeneration >= generation;
}

/** The reason why a value is not a Kubernetes resource. */
export interface ObjectFault {
  /** JSON Pointer to the missing or malformed field. */
  readonly pointer: string;
  /** The problem and its remedy. */
  readonly message: string;
}

type Test = (value: unknown) => boolean;

const matches =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const isString: Test = (value) => typeof value === 'string';

const isTextMap: Test = (value) => isJsonObject(value) && Object.values(value).every(isString);

interface FieldRule {
  readonly key: string;
  /** Whether the field may be missing, or also `null`. Default: it is required. */
  readonly may?: 'be missing' | 'be null';
  readonly accepts: Test;
  readonly todo: string;
}

/** The rules of the root fields. Kinds are as in the API server. */
const rootFields: readonly FieldRule[] = [
  {
    key: 'apiVersion',
    accepts: matches(/^(?:[-.\w]+\/)?\w+$/),
    todo: 'set it to group/version, or to the version alone in the core group: "v1"',
  },
  {
    key: 'kind',
    accepts: matches(/^[a-zA-Z](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?$/),
    todo: 'set it to letters, digits and "-": "Service"',
  },
];

/** The rules of metadata. Names do not contain separators of locators, and are no longer than the API server allows, because messages repeat them. */
const metadataFields: readonly FieldRule[] = [
  { key: 'name', accepts: matches(/^[^/#]{1,253}$/), todo: 'set it, without "/" and "#"' },
  {
    key: 'namespace',
    may: 'be missing',
    accepts: matches(/^[^/#]{0,253}$/),
    todo: 'make it a string without "/" and "#", or leave it out',
  },
  { key: 'uid', may: 'be missing', accepts: isString, todo: 'make it a string' },
  { key: 'creationTimestamp', may: 'be null', accepts: isString, todo: 'make it an RFC 3339 string' },
  { key: 'generation', may: 'be missing', accepts: Number.isSafeInteger, todo: 'make it an integer' },
  { key: 'resourceVersion', may: 'be missing', accepts: isString, todo: 'make it a string' },
  { key: 'labels', may: 'be null', accepts: isTextMap, todo: 'make it an object of strings' },
  { key: 'annotations', may: 'be null', accepts: isTextMap, todo: 'make it an object of strings' },
];

/**
 * Finds why a value is not an identifiable Kubernetes resource: `apiVersion`, `kind` and `metadata.name` are required, and the
 * other fields of {@link ObjectMeta} must have their types.
 *
 * @param value Anything.
 * @returns Every fault; none if the value is a {@link KubernetesObject}.
 */
export function objectFaults(value: unknown): readonly ObjectFault[] {
  if (!isJsonObject(value)) {
    return [
      { pointer: '', message: `not a Kubernetes object but ${describe(value)}; set apiVersion, kind and metadata` },
    ];
  }
  const faults: ObjectFault[] = [];
  addFaults(faults, value, rootFields, []);
  addFaults(faults, isJsonObject(value.metadata) ? value.metadata : {}, metadataFields, ['metadata']);
  return faults;
}

function addFaults(
  faults: ObjectFault[],
  parent: JsonObject,
  rules: readonly FieldRule[],
  parentPath: readonly string[],
): void {
  for (const { key, may, accepts, todo } of rules) {
    const field = parent[key];
    if (field === undefined || field === null ? isLeftOut(field, may) : accepts(field)) continue;
    const path = [...parentPath, key];
    if (accepts === isTextMap && isJsonObject(field)) {
      addTextFaults(faults, field, path);
      continue;
    }
    const what = nameOfNoJson(field) ?? describe(field);
    const advice = adviceFor(key, field) ?? todo;
    const message = `not a Kubernetes object: ${path.join('.')} is ${what}; ${advice}`;
    faults.push({ pointer: formatPointer(path), message });
  }
}

/** Reports the values of labels or annotations that are not texts. The names of these are long, or anything, so that they are in the pointer alone. */
function addTextFaults(faults: ObjectFault[], texts: JsonObject, path: readonly string[]): void {
  for (const [name, value] of Object.entries(texts)) {
    if (isString(value)) continue;
    const what = nameOfNoJson(value) ?? describe(value);
    const advice = quotesFor(value) ?? 'make it a string';
    const message = `not a Kubernetes object: a value of ${path.join('.')} is ${what}; ${advice}`;
    faults.push({ pointer: formatPointer([...path, name]), message });
  }
}

/** Returns the remedy for a name; `undefined` if its rule contains it. */
function adviceFor(key: string, field: unknown): string | undefined {
  if (key !== 'name' && key !== 'namespace') return undefined;
  return typeof field === 'string' && field.length > 253 ? 'shorten it to 253 characters' : quotesFor(field);
}

/** Returns the remedy for a value that YAML does not read as a text without quotes, such as `no`, `on` and `1`. */
function quotesFor(value: unknown): string | undefined {
  return typeof value === 'boolean' || typeof value === 'number' ? 'put it in quotes' : undefined;
}

function isLeftOut(field: undefined | null, may: FieldRule['may']): boolean {
  return field === undefined ? may !== undefined : may === 'be null';
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === '') return 'empty';
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  return Array.isArray(value) ? 'a list' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}
