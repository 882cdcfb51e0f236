import type { FoundKind } from '@policy-machinery/known-kinds';
import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import type { SecretField } from '@policy-machinery/policy-kind';
import { effectiveSecrets } from '@policy-machinery/policy-kind/inner';
import { formatPointer, isJsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';
import { shownSchema } from './shown-schema.ts';

/**
 * Returns the fields of a kind with values that must not be shown: those that the kind marks, those that are known, and those that a
 * CustomResourceDefinition gives the format `password`.
 *
 * @returns The fields; `undefined` if nothing is known about the kind, so that names decide.
 */
export function secretsOf(found: FoundKind): readonly SecretField[] | undefined {
  const { kind } = found;
  if (kind.secrets !== undefined) return kind.secrets;
  const facts = concernsOf(kind);
  if (facts !== undefined) return effectiveSecrets(facts.secrets ?? [], kind.stanzas);
  const passwords = passwordsIn(shownSchema(found), []);
  return passwords.length === 0 ? undefined : [{ pointer: '' }, ...passwords];
}

/** The deepest field of a schema that is looked at. */
const deepest = 32;

function passwordsIn(schema: JsonValue, path: readonly string[]): readonly SecretField[] {
  if (!isJsonObject(schema) || path.length > deepest) return [];
  if (schema.format === 'password') return [{ pointer: formatPointer(path), isCertain: true }];
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.entries(objectIn(properties)).flatMap(([key, each]) => passwordsIn(each, [...path, key])),
    ...[items, additionalProperties].flatMap((each) => (each === undefined ? [] : passwordsIn(each, [...path, '*']))),
  ];
}
