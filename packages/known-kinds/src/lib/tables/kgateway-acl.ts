import { append, type Combination } from '@policy-machinery/merge';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';

/** Joins the ACLs of two policies: their rules, and the headers of the response. If they disagree about another field, the prevailing ACL stands alone. */
export const joinedAcl: Combination = {
  combine(prevailing, yielding) {
    if (!isJsonObject(prevailing) || !isJsonObject(yielding)) return undefined;
    return joined(prevailing, yielding, { rules: append, denyResponse: joinedResponse });
  },
};

const joinedResponse: Combination = {
  combine(prevailing, yielding) {
    if (!isJsonObject(prevailing) || !isJsonObject(yielding)) return undefined;
    return joined(prevailing, yielding, { headers: append });
  },
};

/** Joins two objects; `undefined` if fields that cannot be combined differ. */
function joined(
  prevailing: JsonObject,
  yielding: JsonObject,
  fields: Readonly<Record<string, Combination>>,
): JsonObject | undefined {
  const both: [string, JsonValue][] = [];
  for (const [key, value = null] of Object.entries(prevailing)) {
    const other = Object.hasOwn(yielding, key) ? yielding[key] : undefined;
    const combined = other === undefined || other === value ? value : fields[key]?.combine(value, other);
    if (combined === undefined) return undefined;
    both.push([key, combined]);
  }
  return { ...yielding, ...Object.fromEntries(both) };
}
