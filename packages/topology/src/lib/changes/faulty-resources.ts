import {
  formatPointer,
  type Issue,
  isJsonObject,
  type KubernetesObject,
  messageOf,
  type ObjectLike,
  PolicyMachineryError,
  plainObject,
  type TypeMeta,
  valueAt,
} from '@policy-machinery/resource';
import { jsonFaults, nameOfNoJson, objectFaults } from '@policy-machinery/resource/inner';

type Fault = Pick<Issue, 'message' | 'pointer'>;

const plainObjects = 'pass the object from the API server, or plainObject(resource) of @policy-machinery/resource';

/**
 * Returns whether an object is plain, by the parts that distinguish objects of client libraries. Deeper parts are only checked after a failure.
 * O(1).
 */
function isPlain(value: unknown): boolean {
  if (!isJsonObject(value)) return nameOfNoJson(value) === undefined;
  const { metadata, spec, status } = value;
  if (!isJsonObject(metadata)) return [metadata, spec, status].every(isJson);
  const { creationTimestamp, deletionTimestamp } = metadata;
  return isJson(spec) && isJson(status) && isJson(creationTimestamp) && isJson(deletionTimestamp);
}

function isJson(part: unknown): boolean {
  return part === undefined || typeof part === 'string' || isJsonObject(part) || nameOfNoJson(part) === undefined;
}

/**
 * Returns a resource in the form that the API server serves. Plain objects stay unchanged; instances of classes are converted
 * as by `JSON.stringify`.
 *
 * @param value Any value.
 * @param type The version and kind of resources without them.
 * @param onFault Takes the first fault, if the value is not a resource.
 * @returns The resource; `undefined` if the value is none. Never throws. O(metadata) for plain objects.
 */
export function readResource(
  value: unknown,
  type: TypeMeta | undefined,
  onFault: (fault: Fault) => void,
): KubernetesObject | undefined {
  try {
    if (isPlain(value) && objectFaults(value).length === 0) return value as KubernetesObject;
    return plainObject(value as ObjectLike, type);
  } catch (error) {
    const [fault] = error instanceof PolicyMachineryError ? error.issues : [];
    onFault(fault ?? { message: `cannot be read: ${messageOf(error)}; ${plainObjects}` });
    return undefined;
  }
}

/** No object in Kubernetes is nested as deeply. */
const maxDepth = 500;

/**
 * Returns the first part of a resource that is not JSON, at any depth.
 *
 * @returns The first fault. Never throws. O(size of the resource).
 */
export function deepFault(resource: KubernetesObject): Fault | undefined {
  const [fault] = jsonFaults(resource, maxDepth);
  if (fault === undefined) return undefined;
  const { code, path, message } = fault;
  const pointer = formatPointer(path);
  if (code !== 'no-json') return { pointer, message: `${pointer}: ${message}` };
  return { pointer, message: `${pointer} is ${nameAt(resource, pointer)}; ${plainObjects}` };
}

function nameAt(resource: KubernetesObject, pointer: string): string {
  try {
    const value = valueAt(resource as never, pointer);
    return nameOfNoJson(value) ?? (value === undefined ? 'undefined' : 'an object that cannot be read');
  } catch {
    return 'an object that cannot be read';
  }
}

/**
 * Returns the issues of resources that are not JSON, after a failure.
 *
 * @param resources The resources of the change.
 * @returns An issue for each faulty resource.
 */
export function deepIssues(resources: readonly KubernetesObject[]): readonly Issue[] {
  return resources.flatMap((resource, index) => {
    const fault = deepFault(resource);
    return fault === undefined ? [] : [rejected('no-kubernetes-object', `upsert[${index}]`, fault)];
  });
}

/** Returns the issue of a value that cannot be used. */
export function rejected(code: string, place: string, { message, pointer = '' }: Fault): Issue {
  return { code, severity: 'error', message: `${place}: ${message}`, ...(pointer === '' ? {} : { pointer }) };
}
