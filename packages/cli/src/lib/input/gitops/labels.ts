import { isJsonObject, type KubernetesObject, objectIn, objectsIn } from '@policy-machinery/resource';

/** Returns the names of labels that objects select others by. Finds them with the first question. */
export type LabelSelectors = () => ReadonlySet<string>;

/** Returns a lookup of the names of labels in selectors of objects. */
export function labelSelectors(objects: readonly KubernetesObject[]): LabelSelectors {
  let names: Set<string> | undefined;
  return () => {
    if (names === undefined) {
      names = new Set();
      for (const { spec } of objects) addSelected(spec, names);
    }
    return names;
  };
}

function addSelected(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) addSelected(item, names);
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(objectIn(value.matchLabels))) names.add(name);
  for (const { key } of objectsIn(value.matchExpressions)) names.add(String(key));
  for (const inner of Object.values(value)) addSelected(inner, names);
}

/** Returns the labels that the fields of renderers set. */
const labelsOf: Readonly<Record<string, (value: unknown) => readonly unknown[]>> = {
  commonLabels: (value) => [value],
  labels: (value) => objectsIn(value).map(({ pairs }) => pairs),
  commonMetadata: (value) => [objectIn(value).labels],
};

/**
 * Returns which objects the labels of a renderer's field change in a way that decides: those that have another value of one, and all if one is selected by.
 *
 * @returns `undefined` if the field does not set labels.
 */
export function setsLabels(
  field: string,
  value: unknown,
  selected: LabelSelectors,
): ((object: KubernetesObject) => boolean) | undefined {
  if (!Object.hasOwn(labelsOf, field)) return undefined;
  const labels = labelsOf[field]?.(value).flatMap((each) => Object.entries(objectIn(each))) ?? [];
  const isSelected = labels.some(([name]) => selected().has(name));
  return ({ metadata }) => {
    const own = objectIn(metadata.labels);
    return isSelected || labels.some(([name, value]) => Object.hasOwn(own, name) && own[name] !== value);
  };
}
