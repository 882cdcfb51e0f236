import { groupKindKey, groupKindOf } from '../group-kind.ts';
import type { Issue } from '../issue.ts';
import { isJsonObject, type JsonObject, objectIn, objectsIn, stringIn } from '../json.ts';
import { parsePointer } from '../json-pointer.ts';
import type { KubernetesObject } from '../kubernetes-object.ts';
import { locatorOf } from '../locator.ts';
import { storedBySchema } from './stored-value.ts';

/** An object as the API server stores it. */
export interface StoredObject {
  /** The object; the identical one if the API server changes nothing. */
  readonly object: KubernetesObject;
  /** Warnings about the fields that are dropped because the definition does not name them. */
  readonly warnings: readonly Issue[];
}

/** What the API server does not prune by a schema, or what controllers write and not files. */
const untouched: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Returns the function that stores objects as the API server does, if their CustomResourceDefinition is known: fields that it does not name are
 * dropped with a warning, unless it preserves them; `null` is dropped unless it is `nullable`; and defaults are filled in. Values are not
 * validated. Metadata and statuses stay as they are, and so do objects without a definition, or of a version that it does not have.
 *
 * @param resources Any resources. Of these, the CustomResourceDefinitions count; of two for one kind, the first.
 * @returns The function, which never throws. O(size of the object).
 * @example
 * ```ts
 * const { object, warnings } = storedObjects(definitions)(policy);
 * ```
 */
export function storedObjects(resources: Iterable<KubernetesObject>): (object: KubernetesObject) => StoredObject {
  const byType = new Map<string, ReturnType<typeof storedBySchema>>();
  for (const resource of resources) {
    for (const { type, schema } of schemasIn(resource)) if (!byType.has(type)) byType.set(type, storedBySchema(schema));
  }
  return (object) => {
    const store = byType.get(typeOf(object));
    if (store === undefined) return { object, warnings: [] };
    const fields = Object.entries(object).filter(([key]) => !untouched.has(key));
    const own = Object.fromEntries(fields) as JsonObject;
    const { value, unknown } = store(own);
    if (value === own) return { object, warnings: [] };
    const kept = Object.entries(object).filter(([key]) => untouched.has(key));
    return {
      object: { ...Object.fromEntries(kept), ...value } as unknown as KubernetesObject,
      warnings: unknown.map((pointer) => unknownField(object, pointer)),
    };
  };
}

function unknownField(object: KubernetesObject, pointer: string): Issue {
  return {
    code: 'unknown-field',
    severity: 'warning',
    message: `the field ${parsePointer(pointer).at(-1)} is unknown, and the API server drops it; remove it, or correct its name`,
    resource: locatorOf(object),
    pointer,
  };
}

/** Returns the kind of an object with its version. */
function typeOf(object: KubernetesObject): string {
  return `${groupKindKey(groupKindOf(object))} ${object.apiVersion.split('/').at(-1)}`;
}

/** Returns the schemas of the versions that a resource defines, without the fields that stay as they are. */
function schemasIn({ apiVersion, kind, spec }: KubernetesObject): readonly { type: string; schema: JsonObject }[] {
  if (kind !== 'CustomResourceDefinition' || apiVersion !== 'apiextensions.k8s.io/v1') return [];
  const { group, names, versions } = objectIn(spec);
  const named = stringIn(objectIn(names).kind);
  if (typeof group !== 'string' || named === undefined) return [];
  return objectsIn(versions).flatMap(({ name, schema }) => {
    const root = objectIn(schema).openAPIV3Schema;
    if (typeof name !== 'string' || !isJsonObject(root)) return [];
    const properties = Object.entries(objectIn(root.properties)).filter(([key]) => !untouched.has(key));
    const type = `${groupKindKey({ group, kind: named })} ${name}`;
    return [{ type, schema: { ...root, properties: Object.fromEntries(properties) } }];
  });
}
