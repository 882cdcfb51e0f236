export { creationTimeOf } from './lib/creation-time.ts';
export { formatGroupKind, type GroupKind, groupKindKey, groupKindOf, groupOf } from './lib/group-kind.ts';
export { formatIssue, type Issue, PolicyMachineryError, type SourcePosition } from './lib/issue.ts';
export { isJsonObject, type JsonObject, type JsonValue, objectIn, objectsIn, stringIn } from './lib/json.ts';
export { formatPointer, parsePointer, valueAt } from './lib/json-pointer.ts';
export { type KubernetesObject, type ObjectFault, type ObjectMeta, specOf } from './lib/kubernetes-object.ts';
export { type LabelRequirement, type LabelSelector, matchesSelector } from './lib/label-selector.ts';
export {
  formatLocator,
  locatorOf,
  namespaceOf,
  parseLocator,
  type ResourceRef,
  type ResourceScope,
  refOf,
} from './lib/locator.ts';
export { messageOf } from './lib/message-of.ts';
export { parseSelector } from './lib/parse-selector.ts';
export { type MetadataLike, type ObjectLike, plainObject, type TypeMeta } from './lib/plain-object.ts';
export { printable } from './lib/printable.ts';
export { type ReleasedDefinition, type StoredObject, storedObjects } from './lib/stored/stored-objects.ts';
export { withoutNulls } from './lib/stored/without-nulls.ts';
