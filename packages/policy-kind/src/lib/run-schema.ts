import type { JsonObject } from '@policy-machinery/resource';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** What a schema finds in a spec, or why it could not answer. */
export interface SchemaAnswer {
  readonly issues: readonly StandardSchemaV1.Issue[];
  readonly failure?: string;
}

/**
 * What counts as a failure of every schema that answers with a promise. Some do so only when a check throws: zod, for
 * instance, then tries again asynchronously.
 */
export const promised = 'it returned a promise; its checks must be synchronous and must not throw';

/** Runs a schema. Never throws: a check that fails on one policy must not cost the others their result. */
export function runSchema(schema: StandardSchemaV1, spec: JsonObject): SchemaAnswer {
  try {
    const result = schema['~standard'].validate(spec);
    if (!(result instanceof Promise)) return { issues: result.issues ?? [] };
    result.catch(() => undefined);
    return { issues: [], failure: promised };
  } catch (error) {
    return { issues: [], failure: error instanceof Error ? error.message : String(error) };
  }
}
