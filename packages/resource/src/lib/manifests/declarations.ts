import { isJsonObject, type JsonObject } from '../json.ts';
import type { ManifestDocument } from './documents.ts';

/** What may be a resource, and where it stands: a document, or an item of a list. */
export interface Declaration {
  readonly document: ManifestDocument;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** What a document declares: itself, or the items of a list. Items of a typed list may leave out what the list says. */
export function* declarationsIn(declaration: Declaration): Iterable<Declaration> {
  const { value, path } = declaration;
  const list = isJsonObject(value) ? listOf(value) : undefined;
  if (list === undefined) {
    yield declaration;
    return;
  }
  for (const [index, item] of list.items.entries()) {
    const complete = isJsonObject(item) ? { ...list.typeMeta, ...item } : item;
    yield* declarationsIn({ ...declaration, path: [...path, 'items', index], value: complete });
  }
}

function listOf(value: JsonObject): { items: readonly unknown[]; typeMeta: JsonObject } | undefined {
  const { apiVersion, kind, items, metadata } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List')) return undefined;
  if (!Array.isArray(items) && items !== null) return undefined;
  if (isJsonObject(metadata) && metadata.name !== undefined) return undefined;
  const itemKind = kind.slice(0, -'List'.length);
  const typeMeta = itemKind === '' || apiVersion === undefined ? {} : { apiVersion, kind: itemKind };
  return { items: items ?? [], typeMeta };
}
