import { creationTimeOf, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { compareCreationTimes, oldestFirst } from '@policy-machinery/resource/inner';

/** Compares objects for sorting: older objects first, objects of unknown age last. */
export function compareAge(a: KubernetesObject, b: KubernetesObject): number {
  return oldestFirst(creationTimeOf(a), creationTimeOf(b));
}

/** Returns whether it is known which of two objects is older, or that both were created in the same second. */
export function isAgeOrderKnown(a: KubernetesObject, b: KubernetesObject): boolean {
  return compareCreationTimes(creationTimeOf(a), creationTimeOf(b)) !== undefined;
}

/** Compares objects for sorting: by `namespace/name`, in code units. */
export function compareNames(a: KubernetesObject, b: KubernetesObject): number {
  return compareValues(fullName(a), fullName(b));
}

/** Compares two numbers, infinite ones too, or two texts in code units. */
export function compareValues<Value extends number | string>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}

function fullName(object: KubernetesObject): string {
  return `${namespaceOf(object)}/${object.metadata.name}`;
}
