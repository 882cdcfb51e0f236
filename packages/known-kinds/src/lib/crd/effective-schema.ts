import type { PolicyKind } from '@policy-machinery/policy-kind';
import { isAdditive } from '@policy-machinery/policy-kind/inner';
import type { JsonObject } from '@policy-machinery/resource';
import type { FoundKind } from '../find/found-kind.ts';
import type { Definition } from './definition.ts';
import { stanzasOf, withoutTargets } from './stanzas.ts';

/**
 * Returns the structural schema of the effective specs of a kind: of policies about a target, after merging.
 *
 * @param definition The definition of the kind.
 * @param merging Whether its policies are merged.
 * @returns The schema. It may have fields that effective specs never have, such as a strategy. `undefined` if it is not known.
 */
export function effectiveSchemaOf(
  { spec }: Definition,
  { stanzas }: PolicyKind<unknown>,
  merging: FoundKind['merging'],
): JsonObject | undefined {
  if (Object.keys(spec).length === 0) return undefined;
  const whole = withoutTargets(spec);
  const byPolicy = { type: 'object', additionalProperties: whole };
  if (merging === 'unknown') return byPolicy;
  if (isAdditive(stanzas)) {
    return { type: 'object', properties: Object.fromEntries(stanzas.groups.map((group) => [group, byPolicy])) };
  }
  if (stanzas.shape === undefined) return undefined;
  const proper = stanzas.shape.stanzas.some(({ field }) => field !== undefined) ? stanzasOf(spec).proper : whole;
  return stanzas.mergedSchema?.(proper) ?? proper;
}
