/** Returns the pointers to all that a field is a part of: for `/a/b` these are the whole and `/a`. */
export function prefixesOf(pointer: string): readonly string[] {
  const parts = pointer.split('/'); // A `/` in a key is escaped.
  return parts.slice(1).map((_, length) => parts.slice(0, length + 1).join('/'));
}

/** Returns whether a field is another, or a part of it. */
export function isWithin(pointer: string, whole: string): boolean {
  return pointer === whole || pointer.startsWith(`${whole}/`);
}
