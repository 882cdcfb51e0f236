/** RFC 6902, naively: each operation makes a new document. */
import { type Doc, fieldOf, gone, isDoc, isSame, visible, withRemovalsOf } from './documents.fixture.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * Applies the operations that a policy lists. Under defaults only those that leave alone what is there; those that cannot be
 * applied are left out; a `test` that fails ends the patch. What the document loses is marked as removed.
 */
export function applyOperations(operations: unknown, document: Doc, stanza: 'defaults' | 'overrides'): Doc {
  const before = visible(document);
  let after = before;
  for (const operation of Array.isArray(operations) ? (operations as Operation[]) : []) {
    if (stanza === 'defaults' && !leavesAlone(operation, after)) continue;
    const result = applyOne(operation, after);
    if (result !== undefined) after = result;
    else if (operation.op === 'test') break;
  }
  return withRemovalsOf(markLost(before, after), document) as Doc;
}

function leavesAlone({ op, path }: Operation, document: Doc): boolean {
  if (op === 'test') return true;
  const place = path.endsWith('/-') ? path.slice(0, -2) : path;
  return (op === 'add' || op === 'copy') && at(document, keysOf(place)) === undefined;
}

/** Returns the new document; `undefined` where the operation cannot be applied. */
function applyOne({ op, path, from = '', value }: Operation, document: Doc): Doc | undefined {
  const [place, source] = [keysOf(path), keysOf(from)];
  const [there, moved] = [at(document, place), at(document, source)];
  if (op === 'add') return put(document, place, value);
  if (op === 'test') return isSame(there, value) ? document : undefined;
  if (op === 'remove') return there === undefined ? undefined : drop(document, place);
  if (op === 'replace') return there === undefined ? undefined : put(document, place, value);
  if (moved === undefined) return undefined;
  if (op === 'copy') return put(document, place, moved);
  return path.startsWith(`${from}/`) || at(document, place.slice(0, -1)) === undefined
    ? undefined
    : put(drop(document, source), place, moved);
}

function put(document: Doc, [key, ...rest]: readonly string[], value: unknown): Doc | undefined {
  if (key === undefined) return undefined;
  if (rest.length === 0) return { ...document, [key]: value };
  const there = fieldOf(document, key);
  if (rest.length === 1 && rest[0] === '-' && Array.isArray(there)) return { ...document, [key]: [...there, value] };
  const inner = isDoc(there) ? put(there, rest, value) : undefined;
  return inner === undefined ? undefined : { ...document, [key]: inner };
}

function drop(document: Doc, [key = '', ...rest]: readonly string[]): Doc {
  const { [key]: there, ...others } = document;
  return rest.length === 0 ? others : { ...document, [key]: drop(there as Doc, rest) };
}

function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((holder, key) => fieldOf(holder, key), value);
}

function keysOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

/** Returns a segment of a JSON Pointer as a key. */
export function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function markLost(before: unknown, after: unknown): unknown {
  if (!isDoc(before) || !isDoc(after)) return after;
  const result: Doc = { ...after };
  for (const [key, value] of Object.entries(before)) {
    result[key] = Object.hasOwn(after, key) ? markLost(value, after[key]) : gone;
  }
  return result;
}
