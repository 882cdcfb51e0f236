/** An item of a list in a message. */
export interface Listed {
  readonly name: string;
  /** Whether the reader may see its name; otherwise it is counted. */
  readonly isNamed: boolean;
}

/** A policy in such a list, with the number of scopes in question. */
export interface Counted extends Listed {
  readonly scopes: number;
}

/** The number of names and fields in a sentence. */
const mostNamed = 3;

/** Returns `TimeoutPolicy shop/team in 9 scopes`, or the number of policies and those with most scopes. */
export function policyList(kind: string, policies: readonly Counted[]): string {
  const scopes = policies.reduce((sum, it) => sum + it.scopes, 0);
  const where = scopes === 0 ? '' : ` in ${scopesText(scopes)}`;
  const [only, ...others] = policies;
  if (only?.isNamed && others.length === 0) return `${kind} ${only.name}${where}`;
  const count = `${policies.length} ${policies.length === 1 ? 'policy' : 'policies'} of kind ${kind}`;
  const byScopes = policies.toSorted((a, b) => b.scopes - a.scopes || (a.name < b.name ? -1 : 1));
  const named = byScopes.map(({ name, isNamed, scopes: its }) => {
    return { name: its === 0 ? name : `${name} in ${its}`, isNamed };
  });
  return `${count}${where} (${nameList(named)})`;
}

/** Returns `shop/a, shop/b, shop/c, 7 more and 2 in other namespaces`. */
export function nameList(policies: readonly Listed[], most = mostNamed): string {
  const named = policies.filter(({ isNamed }) => isNamed).map(({ name }) => name);
  const hidden = policies.length - named.length;
  const parts = [
    ...named.slice(0, most),
    ...(named.length > most ? [`${named.length - most} more`] : []),
    ...(hidden > 0 ? [`${hidden} in ${hidden === 1 ? 'another namespace' : 'other namespaces'}`] : []),
  ];
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** Returns `/a, /b`; `all fields` if the whole spec is among them, and `fields` if none is known. */
export function fieldList(pointers: Iterable<string>): string {
  const distinct = [...new Set(pointers)].sort();
  if (distinct.length === 0) return 'fields';
  if (distinct[0] === '') return 'all fields';
  const more = distinct.length - mostNamed;
  return `${distinct.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns `9 scopes`. */
export function scopesText(scopes: number): string {
  return scopes === 1 ? '1 scope' : `${scopes} scopes`;
}
