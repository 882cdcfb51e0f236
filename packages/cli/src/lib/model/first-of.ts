/** Returns the first items of a list, and how many there are besides: `a, b +3 more`. */
export function firstOf(items: readonly string[], count = 2): string {
  const more = items.length - count;
  return more > 0 ? `${items.slice(0, count).join(', ')} +${more} more` : items.join(', ');
}
