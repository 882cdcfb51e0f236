import type { FoundKind } from '@policy-machinery/known-kinds';
import { type JsonObject, objectIn } from '@policy-machinery/resource';

/** Returns the schema of the specs of a kind as they are shown: if policies are not merged, that of one policy. */
export function shownSchema({ merging, effectiveSchema }: FoundKind): JsonObject {
  return objectIn(merging === 'known' ? effectiveSchema : effectiveSchema?.additionalProperties);
}
