import type { Table } from '../frame/answer.ts';
import type { Scope } from '../input/world.ts';

/**
 * Returns whether an object is in a scope.
 *
 * @param scope The scope.
 * @param namespace The namespace of the object; `undefined` for a cluster-scoped one, which is in every scope.
 */
export function isInScope(scope: Scope, namespace: string | undefined): boolean {
  return scope.namespace === undefined || namespace === undefined || namespace === scope.namespace;
}

/** Returns a scope as the end of a clause: ` in the namespace shop`; empty for all namespaces. */
export function scopeText({ namespace }: Scope): string {
  return namespace === undefined ? '' : ` in the namespace ${namespace}`;
}

/**
 * Returns a list without its first column, which is for namespaces, if the scope is one namespace. kubectl does the same.
 *
 * @param scope The scope.
 * @param list The list.
 */
export function listInScope({ namespace }: Scope, { columns, rows }: Pick<Table, 'columns' | 'rows'>): Table {
  return namespace === undefined
    ? { columns, rows }
    : { columns: columns.slice(1), rows: rows.map((row) => row.slice(1)) };
}
