/**
 * Returns the order of two merged lists, as in Kubernetes' strategic merge patch: prevailing items keep their order, and so do
 * items that only the yielding list has. Such an item comes before the next prevailing item if it preceded that item in the
 * yielding list; if the yielding list does not have the prevailing item, the prevailing item comes first.
 *
 * @param yielding The keys of the yielding list, in order, each once.
 * @param prevailing The keys of the prevailing list, in order, each once.
 * @returns The keys of both, each once. O(keys).
 */
export function interleave<Key>(yielding: Iterable<Key>, prevailing: Iterable<Key>): readonly Key[] {
  const places = new Map<Key, number>();
  for (const key of yielding) places.set(key, places.size);
  const first = new Set(prevailing);
  const rest = [...places].filter(([key]) => !first.has(key));
  const order: Key[] = [];
  let next = 0;
  for (const key of first) {
    const place = places.get(key) ?? -1;
    for (let other = rest[next]; other !== undefined && other[1] < place; other = rest[next]) {
      order.push(other[0]);
      next += 1;
    }
    order.push(key);
  }
  for (const [key] of rest.slice(next)) order.push(key);
  return order;
}
