import { isJsonObject, type JsonObject } from './json.ts';

/** The metadata that this library reads. Objects may carry more. */
export interface ObjectMeta {
  readonly name: string;
  /** Absent on cluster-scoped resources. */
  readonly namespace?: string;
  readonly uid?: string;
  /** RFC 3339, to the second. */
  readonly creationTimestamp?: string | null;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A Kubernetes resource as the API server serves it: plain JSON, never wrapped, never changed by this library. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * The spec of a resource, whatever its schema says.
 *
 * @param resource Any Kubernetes resource.
 * @returns Its spec; an empty object where that is missing or no object.
 */
export function specOf(resource: KubernetesObject): JsonObject {
  return isJsonObject(resource.spec) ? resource.spec : {};
}

/** What keeps a value from being a Kubernetes resource. */
export interface ObjectFault {
  /** JSON Pointer to the missing or malformed field. */
  readonly pointer: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/**
 * Finds what keeps a value from being a Kubernetes resource that can be told from others: `apiVersion`, `kind` and
 * `metadata.name` as non-empty strings, and a string `metadata.namespace` if there is one.
 *
 * @param value Anything.
 * @returns Every fault; none when the value is a {@link KubernetesObject}.
 */
export function objectFaults(value: unknown): readonly ObjectFault[] {
  if (!isJsonObject(value)) {
    return [{ pointer: '', message: `expected a Kubernetes object, found ${describe(value)}` }];
  }
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  const required = [
    ['/apiVersion', value.apiVersion, 'set apiVersion, for example "v1"'],
    ['/kind', value.kind, 'set kind, for example "Service"'],
    ['/metadata/name', metadata.name, 'set metadata.name'],
  ] as const;
  const faults: ObjectFault[] = required
    .filter(([, field]) => typeof field !== 'string' || field === '')
    .map(([pointer, field, todo]) => ({
      pointer,
      message: `not a Kubernetes object: ${pointer.slice(1).replace('/', '.')} is ${describe(field)}; ${todo}`,
    }));
  if (metadata.namespace !== undefined && typeof metadata.namespace !== 'string') {
    faults.push({
      pointer: '/metadata/namespace',
      message: `not a Kubernetes object: metadata.namespace is ${describe(metadata.namespace)}; make it a string`,
    });
  }
  return faults;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === '') return 'empty';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}
