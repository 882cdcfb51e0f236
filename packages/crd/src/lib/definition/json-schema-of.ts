import { isJsonObject, type JsonObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** The dialects of JSON Schema to ask for, the most expressive first. */
const dialects = ['draft-2020-12', 'draft-07', 'openapi-3.0'];

/**
 * Returns the JSON Schema of the input of a Standard Schema, if it has the extension Standard JSON Schema.
 *
 * @throws {PolicyMachineryError} `invalid-schema`, if the schema does not have this extension, or cannot be expressed in JSON Schema.
 */
export function jsonSchemaOf(schema: StandardSchemaV1): JsonObject {
  const { vendor, ...standard } = schema['~standard'];
  const { jsonSchema } = standard as Partial<Pick<StandardJSONSchemaV1.Props, 'jsonSchema'>>;
  const refuse = (why: string, cause?: unknown): never => {
    const message = `The JSON Schema of the spec is not known: ${why}; pass it as the option schema`;
    throw new PolicyMachineryError('invalid-schema', message, [], { cause });
  };
  if (jsonSchema === undefined) return refuse(`this schema of ${vendor} does not have a Standard JSON Schema`);
  const failures: unknown[] = [];
  for (const target of dialects) {
    try {
      const said = jsonSchema.input({ target });
      if (isJsonObject(said)) return said;
    } catch (error) {
      failures.push(error);
    }
  }
  const [first] = failures;
  return refuse(`${vendor} says: ${first instanceof Error ? first.message : 'nothing'}`, first);
}
