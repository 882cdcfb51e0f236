import { Composer, type CST, type Document } from 'yaml';
import type { ManifestLimits } from './limits.ts';
import { nodeFaults } from './yaml-faults.ts';
import { yamlOptions } from './yaml-options.ts';
import { tokensIn } from './yaml-tokens.ts';

/** The value of a document, and the offsets of its first character and of the one behind its last. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly range: readonly [number, number];
}

type Fail = (code: string, message: string, offset: number) => void;

/** A text with more stray characters than this is no YAML; nobody wants to hear of each. */
const maxStrayTokens = 100;

/** Reads the documents of a YAML text one by one; only one at a time takes memory. */
export function* yamlDocumentsIn(text: string, limits: ManifestLimits, fail: Fail): Iterable<ParsedDocument> {
  const large = largeDocument(text, limits.yamlCharacters);
  if (large !== undefined) {
    const message = `the document has more than the ${limits.yamlCharacters} characters that are read as YAML`;
    return fail(
      'too-large',
      `${message}; split it, write it as JSON (without syntax errors and repeated keys), or raise the limit`,
      large,
    );
  }
  for (const document of composed(text, limits.depth, fail)) {
    const faults = [...document.errors, ...document.warnings.filter(({ code }) => code !== 'BAD_INDENT')];
    for (const { message, pos } of faults) fail('yaml-syntax', message, pos[0]);
    if (faults.length > 0) continue;

    const [start, , end] = document.range;
    const ambiguities = nodeFaults(document.contents, limits.aliases);
    for (const { code, message, offset } of ambiguities) fail(code, message, offset);
    if (ambiguities.length > 0) continue;
    try {
      const value: unknown = document.toJS({ maxAliasCount: -1 });
      yield { value, range: [start, end] };
    } catch (error) {
      fail('yaml-syntax', error instanceof Error ? error.message : String(error), start);
    }
  }
}

/** Parses documents. The parser needs no stack, but composing does: what nests too deeply is left out before. */
function* composed(text: string, maxDepth: number, fail: Fail): Iterable<Document.Parsed> {
  const composer = new Composer(yamlOptions);
  let strayTokens = 0;
  for (const token of tokensIn(text)) {
    if (token.type === 'error') strayTokens += 1;
    if (strayTokens > maxStrayTokens) break;
    const tooDeep = token.type === 'document' ? offsetBelow(token.value, maxDepth) : undefined;
    if (tooDeep === undefined) {
      yield* composer.next(token);
    } else {
      fail('too-deep', `nested more than ${maxDepth} levels deep; flatten it`, tooDeep);
      const { value, ...empty } = token as CST.Document;
      yield* composer.next(empty);
    }
  }
  yield* composer.end();
  const { errors, warnings } = composer.streamInfo();
  for (const { message, pos } of [...errors, ...warnings]) fail('yaml-syntax', message, pos[0]);
}

/** Where collections first nest deeper than so many levels. */
function offsetBelow(token: CST.Token | null | undefined, levels: number): number | undefined {
  if (!token || !('items' in token)) return undefined;
  if (levels === 0) return token.offset;
  for (const { key, value } of token.items) {
    const offset = offsetBelow(key, levels - 1) ?? offsetBelow(value, levels - 1);
    if (offset !== undefined) return offset;
  }
  return undefined;
}

/** Where the first document begins that is longer than so many characters. */
function largeDocument(text: string, characters: number): number | undefined {
  for (let start = 0; start + characters < text.length; ) {
    const next = /\n(?:---|\.\.\.)/g;
    next.lastIndex = start;
    const end = next.exec(text)?.index ?? text.length;
    if (end - start > characters) return start;
    start = end + 1;
  }
  return undefined;
}
