import { formatPointer, type Issue, type JsonObject, parsePointer } from '@policy-machinery/resource';

/**
 * Returns a warning for each field of a reference or a selector that is not read. Such a field may narrow or widen the targets, so that it must not
 * be ignored in silence.
 *
 * @param entry The reference or selector.
 * @param known The fields that are read.
 * @param pointer The JSON Pointer to the entry.
 */
export function unreadFields(
  entry: JsonObject,
  known: readonly string[],
  pointer: string,
): readonly Required<Pick<Issue, 'code' | 'severity' | 'message' | 'pointer'>>[] {
  const unread = Object.keys(entry).filter((field) => {
    const value = entry[field];
    return value !== undefined && value !== null && !known.includes(field);
  });
  return unread.map((field) => ({
    code: 'unread-field',
    severity: 'warning',
    message: `the field ${shortened(field)} is not read here, so other targets may be meant; correct its name, or read the documentation of the system`,
    pointer: formatPointer([...parsePointer(pointer), field]),
  }));
}

function shortened(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
