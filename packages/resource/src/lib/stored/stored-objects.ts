import { groupKindKey, groupKindOf } from '../group-kind.ts';
import type { Issue } from '../issue.ts';
import { type JsonObject, objectIn } from '../json.ts';
import { parsePointer } from '../json-pointer.ts';
import type { KubernetesObject } from '../kubernetes-object.ts';
import { locatorOf } from '../locator.ts';
import { storedBySchema } from './stored-value.ts';
import { type VersionSchema, versionSchemas } from './version-schemas.ts';

/** An object as the API server stores it. */
export interface StoredObject {
  /** The object; the identical one if the API server changes nothing. */
  readonly object: KubernetesObject;
  /** Warnings about the fields that are dropped because the definition does not name them. */
  readonly warnings: readonly Issue[];
}

/** A CustomResourceDefinition of a release of a project. Clusters may have another release, so it decides less than one of the cluster. */
export interface ReleasedDefinition {
  readonly definition: KubernetesObject;
  /** The name of the release in messages: `Envoy Gateway v1.9.0`. */
  readonly release: string;
}

/** Fields that the API server does not prune by a schema, or that controllers write instead of files. */
const untouched: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Returns the function that stores objects as the API server does, if their CustomResourceDefinition is known: fields that it does not name are
 * dropped with a warning, unless it preserves them; `null` is dropped unless it is `nullable`; and defaults are filled in. Values are not
 * validated. Metadata and statuses stay unchanged, and so do objects without a definition, or of a version that it does not have.
 *
 * @param resources Any resources. Of these, the CustomResourceDefinitions count; of two for one kind, the first.
 * @param released The definitions of kinds that none of the resources defines. Fields that these do not name are kept, with a warning, because the release
 * in use may have them. Objects of a cluster stay unchanged: its API server has stored them. Default: none.
 * @returns The function, which never throws. O(size of the object).
 * @example
 * ```ts
 * const { object, warnings } = storedObjects(definitions)(policy);
 * ```
 */
export function storedObjects(
  resources: Iterable<KubernetesObject>,
  released: Iterable<ReleasedDefinition> = [],
): (object: KubernetesObject) => StoredObject {
  const byType = new Map<string, Stored>();
  const kinds = new Set<string>();
  for (const resource of resources) {
    for (const { kind, version, schema } of schemasIn(resource)) {
      kinds.add(kind);
      const type = `${kind} ${version}`;
      if (!byType.has(type)) byType.set(type, { store: storedBySchema(schema), release: undefined });
    }
  }
  for (const { definition, release } of released) {
    for (const { kind, version, schema } of schemasIn(definition)) {
      if (kinds.has(kind)) continue;
      byType.set(`${kind} ${version}`, { store: storedBySchema(schema, { unknownFields: 'kept' }), release });
    }
  }
  return (object) => {
    const { store, release } = byType.get(typeOf(object)) ?? {};
    if (store === undefined || (release !== undefined && isOfCluster(object))) return { object, warnings: [] };
    const fields = Object.entries(object).filter(([key]) => !untouched.has(key));
    const content = Object.fromEntries(fields) as JsonObject;
    const { value, unknown } = store(content);
    if (value === content && unknown.length === 0) return { object, warnings: [] };
    const kept = Object.entries(object).filter(([key]) => untouched.has(key));
    return {
      object: value === content ? object : ({ ...Object.fromEntries(kept), ...value } as unknown as KubernetesObject),
      warnings: unknown.map((pointer) => unknownField(object, pointer, release)),
    };
  };
}

/** How objects of one version of a kind are stored. */
interface Stored {
  readonly store: ReturnType<typeof storedBySchema>;
  /** The release of the definition; `undefined` if it is in use. */
  readonly release: string | undefined;
}

function unknownField(object: KubernetesObject, pointer: string, release: string | undefined): Issue {
  const name = parsePointer(pointer).at(-1);
  const message =
    release === undefined
      ? `the field ${name} is unknown, and the API server drops it; remove it, or correct its name`
      : `the field ${name} is not in ${schemaOfRelease(release)}, so API servers of that release drop it; correct its name, or add the CustomResourceDefinition of your release to the input`;
  const code = release === undefined ? 'unknown-field' : 'field-not-in-release';
  return { code, severity: 'warning', message, resource: locatorOf(object), pointer };
}

/** Returns whether an API server has stored an object, so that the definition in use accepts it. */
export function isOfCluster({ metadata }: KubernetesObject): boolean {
  return metadata.resourceVersion !== undefined;
}

/** Returns the name of a released schema in messages. */
export function schemaOfRelease(release: string): string {
  return `the schema of ${release} that gwpolicy ships`;
}

/** Returns the kind of an object with its version. */
function typeOf(object: KubernetesObject): string {
  return `${groupKindKey(groupKindOf(object))} ${object.apiVersion.split('/').at(-1)}`;
}

/** Returns the schemas of the versions that a resource defines, without the fields that stay unchanged. */
function schemasIn(resource: KubernetesObject): readonly VersionSchema[] {
  return versionSchemas(resource).map(({ schema, ...version }) => {
    const properties = Object.entries(objectIn(schema.properties)).filter(([key]) => !untouched.has(key));
    return { ...version, schema: { ...schema, properties: Object.fromEntries(properties) } };
  });
}
