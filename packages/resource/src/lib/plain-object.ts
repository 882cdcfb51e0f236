import { type Issue, PolicyMachineryError } from './issue.ts';
import { isJsonObject } from './json.ts';
import { jsonFaults } from './json-faults.ts';
import { formatPointer } from './json-pointer.ts';
import { type KubernetesObject, type ObjectMeta, objectFaults } from './kubernetes-object.ts';
import { messageOf } from './message-of.ts';
import { nameOfNoJson } from './no-json.ts';

/** The version and kind of an object. */
export interface TypeMeta {
  /** Group and version, `apps/v1`; the version alone in the core group. */
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * A Kubernetes object as client libraries type it: an instance of a class, such as `V1Service` of `@kubernetes/client-node` or `Service` of
 * `kubernetes-models`, or an item of a list that leaves out version and kind.
 */
export interface ObjectLike {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: MetadataLike | undefined;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** The metadata of an {@link ObjectLike}: times may be of class `Date`. */
export type MetadataLike = {
  readonly [Field in keyof ObjectMeta]?: Field extends 'name' | 'namespace' ? string | undefined : unknown;
};

/** No object in Kubernetes is nested as deeply. */
const maxDepth = 500;

/**
 * Returns an object of a client library in the form of the API server: the value of `JSON.stringify`, so that a `Date` is its text,
 * and `toJSON` decides.
 *
 * @param value The object. It is not changed.
 * @param type The version and kind of an object without them, such as an item of a list.
 * @returns The object itself if it is plain and complete, otherwise a copy. O(size of the object).
 * @throws {PolicyMachineryError} `no-kubernetes-object` with all faults: JSON cannot represent the value, or it is not a Kubernetes object.
 * @example
 * ```ts
 * const services = items.map((item) => plainObject(item, { apiVersion: 'v1', kind: 'Service' }));
 * ```
 */
export function plainObject(value: ObjectLike, type?: TypeMeta): KubernetesObject {
  const plain = typed(plainValue(value), type);
  const faults = [...rootFaults(value, plain), ...deepFaults(plain)];
  if (faults.length > 0) throw refusal(faults);
  return plain as unknown as KubernetesObject;
}

function plainValue(value: unknown): unknown {
  if (isJsonObject(value) && jsonFaults(value, maxDepth).length === 0) return value;
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw refusal([{ pointer: '', message: `JSON cannot represent it: ${messageOf(error)}` }]);
  }
}

function typed(value: unknown, type: TypeMeta | undefined): unknown {
  if (type === undefined || !isJsonObject(value)) return value;
  const { apiVersion, kind } = value;
  if (apiVersion && kind) return value;
  return { ...value, apiVersion: apiVersion || type.apiVersion, kind: kind || type.kind };
}

type Fault = Required<Pick<Issue, 'pointer' | 'message'>>;

function deepFaults(value: unknown): readonly Fault[] {
  return jsonFaults(value, maxDepth).map(({ path, message }) => ({ pointer: formatPointer(path), message }));
}

/** Returns the faults of the shape, with the name of the former value. */
function rootFaults(value: unknown, plain: unknown): readonly Fault[] {
  const name = isJsonObject(plain) ? undefined : nameOfNoJson(value);
  if (name === undefined) return objectFaults(plain);
  return [{ pointer: '', message: `not a Kubernetes object but ${name}; set apiVersion, kind and metadata` }];
}

function refusal(faults: readonly Fault[]): PolicyMachineryError {
  const issues = faults.map(({ pointer, message }) => ({
    code: 'no-kubernetes-object',
    severity: 'error' as const,
    message,
    pointer,
  }));
  return new PolicyMachineryError('no-kubernetes-object', 'The value is not a Kubernetes object', issues);
}
