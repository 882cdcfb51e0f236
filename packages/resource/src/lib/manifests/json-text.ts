import { endOfQuoted } from './quoted.ts';
import type { ParsedDocument } from './yaml-documents.ts';

/**
 * Reads a JSON text in the form of the API server, without the YAML parser, which is about ten times slower. As kubectl does, it also reads
 * several values one after the other: the output of two calls of `kubectl get -o json` in one file.
 *
 * @returns `undefined` for texts that need the YAML parser: flow-style YAML, syntax errors (which it can locate), and repeated
 * keys (of which `JSON.parse` silently drops the first).
 */
export function jsonIn(text: string): readonly ParsedDocument[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const whole = documentAt(text, [0, text.length]);
  if (whole !== undefined) return whole.length === 0 ? undefined : whole;
  const documents: ParsedDocument[] = [];
  for (const range of rangesIn(text)) {
    const [document] = (range && documentAt(text, range)) ?? [];
    if (document === undefined) return undefined;
    documents.push(document);
  }
  return documents;
}

/** Returns the document in a part of a text: none, if a key is repeated, and `undefined` if the part is not JSON. */
function documentAt(text: string, range: readonly [number, number]): readonly ParsedDocument[] | undefined {
  const json = text.slice(...range);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return keysWritten(json) === keysKept(value) ? [{ value, range, faults: [] }] : [];
}

/** Returns where the objects and lists of a text begin and end, with `undefined` where it has something else, or one is not complete. */
function* rangesIn(text: string): Iterable<readonly [number, number] | undefined> {
  const mark = /["{}[\]]/g;
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const { index } = match;
    if (text[index] === '"') {
      const quotedEnd = endOfQuoted(text, index);
      if (quotedEnd < 0) break;
      mark.lastIndex = quotedEnd;
      continue;
    }
    const isOpening = text[index] === '{' || text[index] === '[';
    if (depth === 0) {
      if (!isOpening || text.slice(end, index).trim() !== '') return yield undefined;
      start = index;
    }
    depth += isOpening ? 1 : -1;
    if (depth > 0) continue;
    end = index + 1;
    yield [start, end];
  }
  if (text.slice(end).trim() !== '') yield undefined;
}

/** Returns how many keys a JSON text has: its strings before a colon. No regular expression is safe on long strings. */
function keysWritten(json: string): number {
  const colon = /\s*:/y;
  let keys = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfQuoted(json, start);
    colon.lastIndex = end;
    if (colon.test(json)) keys += 1;
    start = json.indexOf('"', end);
  }
  return keys;
}

/** Returns how many keys a value has. It does not recurse, because the nesting may exceed the stack. */
function keysKept(value: unknown): number {
  let keys = 0;
  const pending = [value];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const fields: unknown[] = Object.values(node);
    if (!Array.isArray(node)) keys += fields.length;
    for (const field of fields) pending.push(field);
  }
  return keys;
}
