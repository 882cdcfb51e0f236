import { groupKindKey } from '../group-kind.ts';
import { isJsonObject, type JsonObject, objectIn, objectsIn, stringIn } from '../json.ts';
import type { KubernetesObject } from '../kubernetes-object.ts';

/** The schema of one version of a kind. */
export interface VersionSchema {
  /** The key of the kind. */
  readonly kind: string;
  readonly version: string;
  readonly schema: JsonObject;
}

/**
 * Returns the schemas of the versions that a resource defines.
 *
 * @returns The schemas; none if the resource is not a CustomResourceDefinition.
 */
export function versionSchemas({ apiVersion, kind, spec }: KubernetesObject): readonly VersionSchema[] {
  if (kind !== 'CustomResourceDefinition' || apiVersion !== 'apiextensions.k8s.io/v1') return [];
  const { group, names, versions } = objectIn(spec);
  const named = stringIn(objectIn(names).kind);
  if (typeof group !== 'string' || named === undefined) return [];
  return objectsIn(versions).flatMap(({ name, schema }) => {
    const root = objectIn(schema).openAPIV3Schema;
    if (typeof name !== 'string' || !isJsonObject(root)) return [];
    return [{ kind: groupKindKey({ group, kind: named }), version: name, schema: root }];
  });
}
