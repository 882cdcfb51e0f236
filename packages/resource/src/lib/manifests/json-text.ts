import type { ParsedDocument } from './yaml-documents.ts';

/**
 * Reads a text that is JSON, as the API server writes it: that needs no YAML parser, which is some ten times slower.
 *
 * @returns `undefined` for anything that the YAML parser must judge: flow-style YAML, syntax errors (which it can place),
 * and keys that come twice (of which `JSON.parse` drops the first in silence).
 */
export function jsonIn(text: string): readonly ParsedDocument[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return keysWritten(text) === keysKept(value) ? [{ value, range: [0, text.length], faults: [] }] : undefined;
}

/** How many keys a JSON text writes: its strings that a colon follows. No regular expression is safe on long strings. */
function keysWritten(json: string): number {
  const colon = /\s*:/y;
  let keys = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfString(json, start);
    colon.lastIndex = end;
    if (colon.test(json)) keys += 1;
    start = json.indexOf('"', end);
  }
  return keys;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, offset: number): boolean {
  let first = offset;
  while (json[first - 1] === '\\') first -= 1;
  return (offset - first) % 2 === 1;
}

/** How many keys a value holds. No recursion: it may nest deeper than the stack. */
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
