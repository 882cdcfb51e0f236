/** Returns the pointers to the values around a field: for `/a/b`, the whole value and `/a`. */
export function prefixesOf(pointer: string): readonly string[] {
  const parts = pointer.split('/'); // A `/` in a key is escaped.
  return parts.slice(1).map((_, length) => parts.slice(0, length + 1).join('/'));
}

/** Returns whether a field is another field, or a part of it. */
export function isWithin(pointer: string, whole: string): boolean {
  return pointer === whole || pointer.startsWith(`${whole}/`);
}
