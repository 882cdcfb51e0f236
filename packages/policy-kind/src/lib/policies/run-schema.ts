import type { JsonObject } from '@policy-machinery/resource';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** The result of a schema for a spec, or why the schema failed. */
export interface SchemaAnswer {
  readonly issues: readonly StandardSchemaV1.Issue[];
  readonly failure?: string;
}

/**
 * The failure of every schema that returns a promise. Some schemas do so only if a check throws; zod, for instance, then tries
 * again asynchronously.
 */
export const promised = 'it returned a promise; its checks must be synchronous and must not throw';

/** Runs a schema. Never throws, because a failing check on one policy must not affect others. */
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
