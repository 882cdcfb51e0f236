/**
 * Returns the plural of a kind, as Kubernetes' generators write it: `timeoutpolicies` of `TimeoutPolicy`.
 *
 * @param kind The kind: `TimeoutPolicy`.
 * @returns Its plural in lower case. A definition may have another plural.
 */
export function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
