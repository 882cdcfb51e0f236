import { UsageError } from '../model/usage-error.ts';

/**
 * Reads `--only` of a command that answers about a state, and not about changes.
 *
 * @param only The values: one `namespace=shop`.
 * @returns The namespace.
 * @throws {UsageError} For anything else.
 */
export function onlyNamespace(only: readonly string[]): string {
  const [text = '', ...more] = only;
  const [, namespace] = /^namespace=(.+)$/.exec(text) ?? [];
  if (namespace !== undefined && more.length === 0) return namespace;
  throw new UsageError(`--only ${only.join(' --only ')} is not supported here; write --only namespace=shop`);
}
