/** Returns an iterable that starts over each time it is iterated. */
export function repeatable<Item>(iterate: () => Iterator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: iterate };
}
