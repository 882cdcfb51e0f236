import { isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { itemsOf } from '../fields/items.ts';

/** The filters that refer to objects outside of a topology, each with the field of its reference. */
const unseen: Readonly<Record<string, string>> = { ExtensionRef: 'extensionRef', ExternalAuth: 'externalAuth' };

/** Returns the JSON Pointer to the first reference of a route that is not looked at; `undefined` if there is none. O(filters). */
export function unseenReference(route: KubernetesObject): string | undefined {
  for (const [index, rule] of itemsOf(specOf(route).rules).entries()) {
    const place = `/spec/rules/${index}`;
    const holders = [
      [place, rule],
      ...itemsOf(rule.backendRefs).map((backend, at) => [`${place}/backendRefs/${at}`, backend] as const),
    ] as const;
    for (const [pointer, holder] of holders) {
      const found = inFilters(holder, pointer);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function inFilters({ filters }: JsonObject, pointer: string): string | undefined {
  for (const [index, filter] of itemsOf(filters).entries()) {
    const field = typeof filter.type === 'string' ? unseen[filter.type] : undefined;
    if (field !== undefined && isJsonObject(filter[field])) return `${pointer}/filters/${index}/${field}`;
  }
  return undefined;
}
