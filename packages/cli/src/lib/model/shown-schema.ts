import type { FoundKind } from '@policy-machinery/known-kinds';
import { type JsonObject, objectIn } from '@policy-machinery/resource';

/** Returns the schema of the shown specs of a kind: of effective specs, or of single policies if policies are not merged. */
export function shownSchema({ merging, effectiveSchema }: FoundKind): JsonObject {
  return objectIn(merging === 'known' ? effectiveSchema : effectiveSchema?.additionalProperties);
}
