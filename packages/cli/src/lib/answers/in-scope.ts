import type { ColumnOf } from '../model/table-of.ts';
import type { Scope } from '../model/world.ts';

/**
 * Returns whether an object is in a scope.
 *
 * @param namespace The namespace of the object; `undefined` for a cluster-scoped one, which is in every scope.
 */
export function isInScope(scope: Scope, namespace: string | undefined): boolean {
  return scope.namespace === undefined || namespace === undefined || namespace === scope.namespace;
}

/** Returns a scope as the end of a clause: ` in the namespace shop`; empty for all namespaces. */
export function scopeText({ namespace }: Scope): string {
  return namespace === undefined ? '' : ` in the namespace ${namespace}`;
}

/** Returns the columns of a list in a scope: as in kubectl, only a list of all namespaces shows namespaces. */
export function columnsInScope<Item>(
  { namespace }: Scope,
  columns: readonly ColumnOf<Item>[],
): readonly ColumnOf<Item>[] {
  return namespace === undefined ? columns : columns.filter(({ isNamespace }) => isNamespace !== true);
}
