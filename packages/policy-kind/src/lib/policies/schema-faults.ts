import { formatPointer, type JsonObject } from '@policy-machinery/resource';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { runSchema } from './run-schema.ts';

/** One thing that is wrong with a spec. */
export interface SpecFault {
  readonly message: string;
  /** JSON Pointer from the root of the spec. */
  readonly pointer: string;
  /** JSON Pointers to the fields at or below `pointer` that the fault is about. Default: all of them. */
  readonly about?: readonly string[];
}

/** Returns the faults that a schema finds in a spec; `failure` if it could not check. Never throws. */
export function schemaFaults(
  schema: StandardSchemaV1,
  spec: JsonObject,
): { readonly faults: readonly SpecFault[]; readonly failure?: string } {
  const { issues, failure } = runSchema(schema, spec);
  if (failure !== undefined) return { faults: [], failure };
  const faults = issues.map(({ message, path = [] }): SpecFault => {
    const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
    return { message, pointer: formatPointer(keys) };
  });
  return { faults };
}
