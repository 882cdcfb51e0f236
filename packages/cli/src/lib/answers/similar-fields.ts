import {
  groupKindKey,
  groupKindOf,
  type JsonObject,
  type KubernetesObject,
  locatorOf,
  parsePointer,
} from '@policy-machinery/resource';
import { fieldsAt, versionSchemas } from '@policy-machinery/resource/inner';
import { isDefinition } from '../input/world.ts';
import type { Finding } from '../model/answer.ts';
import { closestNames } from '../model/closest.ts';
import type { World } from '../model/world.ts';

/**
 * Returns the names of fields that are similar to unknown ones, by the definition of `--kinds`, in the input or of a release.
 *
 * @param findings The findings about unknown fields.
 */
export function similarFields(
  { objects, definitions: own, released }: World,
  findings: readonly Finding[],
): readonly (readonly [Finding, readonly string[]])[] {
  const wanted = new Set(findings.map(({ resource }) => resource));
  const byLocator = new Map(
    objects.flatMap((object) => {
      const locators = [locatorOf(object), locatorOf(object, 'Namespaced')];
      return locators.filter((locator) => wanted.has(locator)).map((locator) => [locator, object] as const);
    }),
  );
  const definitions = [...own, ...objects.filter(isDefinition), ...released.map(({ definition }) => definition)];
  return findings.map((finding) => {
    const object = byLocator.get(finding.resource ?? '');
    const path = parsePointer(finding.pointer ?? '');
    const fields = object === undefined ? [] : fieldsAt(schemaOf(object, definitions), path.slice(0, -1));
    return [finding, closestNames(path.at(-1) ?? '', fields)];
  });
}

function schemaOf(object: KubernetesObject, definitions: readonly KubernetesObject[]): JsonObject {
  const key = groupKindKey(groupKindOf(object));
  const version = object.apiVersion.split('/').at(-1);
  const first = definitions.map(versionSchemas).find(([schema]) => schema?.kind === key) ?? [];
  return first.find((schema) => schema.version === version)?.schema ?? {};
}
