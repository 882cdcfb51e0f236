import type { Issue } from '../issue.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { jsonFaults } from '../json-faults.ts';
import { formatPointer } from '../json-pointer.ts';
import type { ManifestDocument } from './documents.ts';
import type { PartFault } from './yaml-faults.ts';

/** A possible resource with its place: a document, or an item of a list. */
export interface Declaration {
  readonly document: ManifestDocument;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * Returns the declarations of a document: the document itself, or the items of a list. For kubectl, any object with `items` is a list. Items of a typed
 * list may omit the type of the list. A declaration with values outside JSON is left out without the others, and its faults go to `report`.
 *
 * @param maxDepth The maximal nesting of objects and lists in it.
 * @param report Receives the faults.
 */
export function declarationsIn(
  document: ManifestDocument,
  maxDepth: number,
  report: (issue: Issue) => void,
): Iterable<Declaration> {
  const isSound = (value: unknown, path: Declaration['path'], faults: readonly PartFault[]): boolean => {
    const causes = faults.filter(({ follows }) => follows !== true);
    for (const { code, message, offset, path: faultPath } of causes.length > 0 ? causes : faults.slice(0, 1)) {
      const pointer = path.length === 0 ? {} : { pointer: formatPointer(faultPath) };
      report({ code, severity: 'error', message, ...pointer, position: document.positionAt(offset) });
    }
    if (faults.length > 0) return false;
    const valueFaults = jsonFaults(value, maxDepth, path.length);
    for (const { code, message, path: below } of valueFaults) {
      const fullPath = [...path, ...below];
      report({
        code,
        severity: 'error',
        message,
        pointer: formatPointer(fullPath),
        position: document.positionOf(fullPath),
      });
    }
    return valueFaults.length === 0;
  };
  function* declared(
    value: unknown,
    path: Declaration['path'],
    faults: readonly PartFault[],
  ): Generator<Declaration, void> {
    const list = path.length < maxDepth && isJsonObject(value) ? listOf(value) : undefined;
    if (list === undefined) {
      if (isSound(value, path, faults)) yield { document, path, value };
      return;
    }
    const { ofList, ofItems } = byItem(faults, path.length);
    if (!isSound(list.frame, path, ofList)) return;
    for (const [index, item] of list.items.entries()) {
      const isUntyped = isJsonObject(item) && item.apiVersion === undefined && item.kind === undefined;
      const complete = isUntyped ? { ...list.typeMeta, ...item } : item;
      yield* declared(complete, [...path, 'items', index], ofItems.get(index) ?? []);
    }
  }
  return declared(document.value, [], document.faults);
}

/** Separates the faults of list items from faults of the list itself. */
function byItem(faults: readonly PartFault[], depth: number) {
  const ofList: PartFault[] = [];
  const ofItems = new Map<number, PartFault[]>();
  for (const fault of faults) {
    const [key, index] = fault.path.slice(depth, depth + 2);
    const ofItem = key === 'items' && typeof index === 'number' ? (ofItems.get(index) ?? []) : ofList;
    if (typeof index === 'number' && ofItem !== ofList) ofItems.set(index, ofItem);
    ofItem.push(fault);
  }
  return { ofList, ofItems };
}

interface List {
  /** The list without its items. */
  readonly frame: JsonObject;
  readonly items: readonly unknown[];
  readonly typeMeta: JsonObject;
}

function listOf(value: JsonObject): List | undefined {
  const { apiVersion, kind, items } = value;
  if (typeof kind !== 'string' || (!Array.isArray(items) && items !== null)) return undefined;
  const itemKind = kind.replace(/List$/, '');
  const typeMeta = itemKind === '' || apiVersion === undefined ? {} : { apiVersion, kind: itemKind };
  return { frame: { ...value, items: [] }, items: items ?? [], typeMeta };
}
