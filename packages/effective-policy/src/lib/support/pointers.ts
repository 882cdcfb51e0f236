import { formatPointer, parsePointer } from '@policy-machinery/resource';

/** Returns the pointers to all that a field is a part of: for `/a/b` these are the whole and `/a`. */
export function prefixesOf(pointer: string): readonly string[] {
  const keys = parsePointer(pointer);
  return keys.map((_, length) => formatPointer(keys.slice(0, length)));
}

/** Returns whether a field is another, or a part of it. */
export function isWithin(pointer: string, whole: string): boolean {
  return pointer === whole || pointer.startsWith(`${whole}/`);
}
