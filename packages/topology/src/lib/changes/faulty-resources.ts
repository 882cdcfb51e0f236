import {
  formatPointer,
  type Issue,
  isJsonObject,
  jsonFaults,
  type KubernetesObject,
  messageOf,
  nameOfNoJson,
  objectFaults,
  valueAt,
} from '@policy-machinery/resource';

type Fault = Pick<Issue, 'message' | 'pointer'>;

const plainObjects =
  'pass plain objects as the API server serves them, for example JSON.parse(JSON.stringify(resource))';

/** The fields that are checked for each resource. Their contents are only checked after a failure. */
const ownFields = ['metadata', 'spec', 'status'] as const;

/**
 * Returns the first fault that keeps a value from being a Kubernetes resource: its shape, or fields that are no JSON.
 *
 * @param value Any value.
 * @returns The first fault. Never throws. O(metadata).
 */
export function resourceFault(value: unknown): Fault | undefined {
  try {
    const foreign = nameOfNoJson(value);
    if (foreign !== undefined) {
      return { pointer: '', message: `not a Kubernetes object but ${foreign}; ${plainObjects}` };
    }
    if (isJsonObject(value)) {
      for (const field of ownFields) {
        const name = nameOfNoJson(value[field]);
        if (name !== undefined) return { pointer: `/${field}`, message: `${field} is ${name}; ${plainObjects}` };
      }
    }
    return objectFaults(value)[0];
  } catch (error) {
    return { pointer: '', message: `cannot be read: ${messageOf(error)}; ${plainObjects}` };
  }
}

/** No object in Kubernetes is nested as deeply. */
const maxDepth = 500;

/**
 * Returns the first part of a resource that is no JSON, at any depth.
 *
 * @param resource A resource.
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
 * Returns the issues of resources that are no JSON, after a failure.
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
