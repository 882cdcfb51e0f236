import { BlockLines, withoutSpacesAfter } from './block-lines.ts';
import { plainKey, plainValue } from './plain-scalars.ts';
import { endOfQuoted } from './quoted.ts';

/**
 * Reads a document of the YAML that kubectl, Helm and Kustomize print: lists and objects that are indented, scalars of one line, and
 * `|` blocks. It takes a fifteenth of the parser's time.
 *
 * @param document The text of one document, with the `---` before it.
 * @param maxDepth The maximal nesting of objects and lists.
 * @returns The value, exactly as the parser reads it; `undefined` for a document with anything else, or with a fault.
 */
export function blockYaml(document: string, maxDepth: number): { readonly value: unknown } | undefined {
  const text = document.replaceAll('\r\n', '\n').replace(/^---(?: +#.*| *)(?:\n|$)/, '');
  if (unusual.test(text)) return undefined;
  try {
    const lines = new BlockLines(text);
    const value = lines.indent < 0 ? null : collectionIn(lines, maxDepth);
    return lines.indent < 0 ? { value } : undefined;
  } catch (error) {
    if (error === beyond) return undefined;
    throw error;
  }
}

/** Control characters, tabs among them, characters that end a line for some, and markers between documents. */
const unusual = /[^\P{Cc}\n]|[\u2028\u2029\uFEFF]|^(?:---|\.\.\.)/mu;

/** Thrown where a document needs the parser. */
const beyond = new Error('This document needs the parser');

function fail(): never {
  throw beyond;
}

/** Reads the list or object that begins at the current line, and goes to the line after it. */
function collectionIn(lines: BlockLines, levels: number): unknown {
  if (levels === 0) fail();
  const { indent } = lines;
  const value = isItem(lines.text) ? itemsIn(lines, levels) : fieldsIn(lines, levels);
  return lines.indent > indent ? fail() : value;
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function itemsIn(lines: BlockLines, levels: number): readonly unknown[] {
  const { indent } = lines;
  const items: unknown[] = [];
  while (lines.indent === indent && isItem(lines.text)) {
    lines.skip(1);
    const isCollection = isItem(lines.text) || endOfKey(lines.text) >= 0;
    items.push(isCollection ? collectionIn(lines, levels - 1) : valueIn(lines, { indent, levels }));
  }
  return items;
}

function fieldsIn(lines: BlockLines, levels: number): Readonly<Record<string, unknown>> {
  const { indent } = lines;
  const fields: Record<string, unknown> = {};
  while (lines.indent === indent && !isItem(lines.text)) {
    const end = endOfKey(lines.text);
    const key = end < 0 ? fail() : keyIn(lines.text.slice(0, end));
    if (key === '__proto__' || Object.hasOwn(fields, key)) fail();
    lines.skip(end + 1);
    fields[key] = valueIn(lines, { indent, levels, isField: true });
  }
  return fields;
}

interface Parent {
  readonly indent: number;
  /** How deeply the parent may be nested. */
  readonly levels: number;
  /** Whether the value belongs to a field. A list in it needs no indentation. */
  readonly isField?: true;
}

/** Reads the value after `- ` or after a key, and goes to the line after it. */
function valueIn(lines: BlockLines, { indent, levels, isField }: Parent): unknown {
  const { text } = lines;
  if (text === '|' || text === '|-') return blockIn(lines, indent);
  lines.next();
  if (text !== '' && !text.startsWith('#')) return scalarIn(text, levels);
  const isBelow = lines.indent > indent || (isField && lines.indent === indent && isItem(lines.text));
  return isBelow ? collectionIn(lines, levels - 1) : null;
}

/** Reads the text of a `|` block. Its last line ends with a line break unless `|-` begins it. */
function blockIn(lines: BlockLines, indent: number): string {
  const isStripped = lines.text === '|-';
  const block = lines.block(indent) ?? fail();
  const end = block.findLastIndex((line) => line !== '') + 1;
  return block.slice(0, end).join('\n') + (isStripped ? '' : '\n');
}

/** Returns the value that a line ends with. */
function scalarIn(text: string, levels: number): unknown {
  if (isQuote(text[0])) {
    const end = endOfQuoted(text, 0);
    return /^(?: +#|$)/.test(text.slice(end)) ? quoted(text.slice(0, end)) : fail();
  }
  const comment = text.indexOf(' #');
  const scalar = comment < 0 ? text : withoutSpacesAfter(text.slice(0, comment));
  if (scalar === '{}' || scalar === '[]') return levels > 1 ? JSON.parse(scalar) : fail();
  return isPlain(scalar) ? plainValue(scalar) : fail();
}

/** Returns where the colon is that makes a key of the text before it; -1 if there is none. */
function endOfKey(text: string): number {
  const isEnd = (offset: number): boolean =>
    text[offset] === ':' && (text[offset + 1] === ' ' || offset + 1 === text.length);
  if (isQuote(text[0])) {
    const end = endOfQuoted(text, 0);
    return isEnd(end) ? end : -1;
  }
  let colon = text.indexOf(':');
  while (colon >= 0 && !isEnd(colon)) colon = text.indexOf(':', colon + 1);
  return colon;
}

function keyIn(text: string): string {
  const scalar = withoutSpacesAfter(text);
  if (scalar.length > longestKey) fail();
  if (isQuote(text[0])) return quoted(text);
  const key = isPlain(scalar) && !scalar.includes(' #') ? plainKey(scalar) : undefined;
  return key === undefined || key === '<<' ? fail() : key;
}

/** Longer keys need a `?`. */
const longestKey = 1000;

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** Returns the text of a scalar in quotes, without line breaks. */
function quoted(scalar: string): string {
  if (scalar.startsWith("'")) return scalar.slice(1, -1).replaceAll("''", "'");
  try {
    return JSON.parse(scalar);
  } catch {
    return fail(); // YAML has more escapes than JSON.
  }
}

/** Returns whether a text is a scalar without quotes: no indicator begins it, and no key or comment is in it. */
function isPlain(text: string): boolean {
  return /^(?:-[^ ]|[^ !"#%&'*,:>?@[\]`{|}-])/.test(text) && !text.includes(': ') && !text.endsWith(':');
}
