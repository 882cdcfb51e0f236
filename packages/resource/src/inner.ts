export { checkControllerName } from './lib/controller-name.ts';
export { compareCreationTimes, oldestFirst } from './lib/creation-time.ts';
export { hasSameContent } from './lib/has-same-content.ts';
export { jsonFaults } from './lib/json-faults.ts';
export { isCurrent, objectFaults } from './lib/kubernetes-object.ts';
export {
  type NamespaceSelectorTest,
  namespaceSelectorTest,
  type SelectorTest,
  selectorTest,
} from './lib/label-selector.ts';
export { nameOfNoJson } from './lib/no-json.ts';
export { pluralOf } from './lib/plural.ts';
export { printableLines } from './lib/printable.ts';
export { fieldsAt } from './lib/stored/schema-fields.ts';
export { isOfCluster, schemaOfRelease } from './lib/stored/stored-objects.ts';
export { type StoringOptions, storedBySchema } from './lib/stored/stored-value.ts';
export { versionSchemas } from './lib/stored/version-schemas.ts';
export { type Complete, withDefaults } from './lib/with-defaults.ts';
