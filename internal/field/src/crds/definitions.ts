import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatGroupKind,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
} from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';

/** A CustomResourceDefinition, and the project whose repository has it. */
export interface FoundDefinition {
  /** The folder of the project: `envoyproxy_gateway`. */
  readonly project: string;
  readonly crd: KubernetesObject;
}

/** The projects that define kinds which others copy, by the end of the group. */
const owners: readonly (readonly [group: string, project: string])[] = [
  ['gateway.networking.k8s.io', 'kubernetes-sigs_gateway-api'],
  ['gateway.networking.x-k8s.io', 'kubernetes-sigs_gateway-api'],
  ['istio.io', 'istio_istio'],
];

/**
 * Reads the definitions in a folder: for each kind, the owning project's.
 *
 * @param folder A folder with a folder for each project.
 * @returns The definitions by kind: `SecurityPolicy.gateway.envoyproxy.io`. Empty if there is no such folder.
 */
export async function readDefinitions(folder: string): Promise<ReadonlyMap<string, FoundDefinition>> {
  const found = new Map<string, FoundDefinition>();
  if (!existsSync(folder)) return found;
  for (const project of readdirSync(folder).sort()) {
    for (const crd of await readManifests(join(folder, project))) {
      const { group, names } = objectIn(crd.spec);
      const name = formatGroupKind({ group: String(group), kind: String(objectIn(names).kind) });
      const owner = owners.find(([end]) => String(group) === end || String(group).endsWith(`.${end}`))?.[1];
      if (owner === project || !found.has(name)) found.set(name, { project, crd });
    }
  }
  return found;
}

/** One version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly spec: JsonObject;
}

/** Returns the served versions of a definition, that in which objects are stored first. */
export function versionsOf(crd: KubernetesObject): readonly DefinitionVersion[] {
  const served = objectsIn(objectIn(crd.spec).versions).filter((version) => version.served !== false);
  const stored = served.filter(({ storage }) => storage === true);
  return [...new Set([...stored, ...served])].map((version) => ({
    name: String(version.name),
    spec: objectIn(fieldsOf(objectIn(version.schema).openAPIV3Schema).spec),
  }));
}

/** Returns the schemas of the fields of an object. */
export function fieldsOf(schema: unknown): JsonObject {
  return objectIn(objectIn(schema).properties);
}
