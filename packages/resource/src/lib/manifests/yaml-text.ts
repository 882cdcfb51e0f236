import { blockYaml } from './block-yaml.ts';
import type { DocumentMemory } from './document-memory.ts';
import type { ManifestLimits } from './limits.ts';
import { type Fail, type ParsedDocument, yamlDocumentsIn } from './yaml-documents.ts';

/** Reads the documents of a YAML text one by one, so that a fault of one is none of the others: by the parser if they need it. */
export function* yamlIn(
  text: string,
  limits: ManifestLimits,
  fail: Fail,
  memory?: DocumentMemory,
): Iterable<ParsedDocument> {
  const large = largeDocument(text, limits.yamlCharacters);
  if (large !== undefined) {
    const message = `the document has more than the ${limits.yamlCharacters} characters that are read as YAML`;
    return fail(
      'too-large',
      `${message}; split it, write it as JSON (without syntax errors and repeated keys), or raise the limit`,
      large,
    );
  }
  for (const [start, end] of documentRanges(text)) {
    const document = text.slice(start, end);
    if (memory === undefined) yield* readAt(start, document, limits, fail);
    else yield* recalledAt(start, document, memory, limits, fail);
  }
}

/** Reads the document at an offset of the text: by the parser if it needs it. */
function* readAt(start: number, text: string, limits: ManifestLimits, fail: Fail): Iterable<ParsedDocument> {
  const block = blockYaml(text, limits.depth);
  if (block === undefined) yield* parsedAt(start, text, limits, fail);
  else yield { ...block, range: [start, start + text.length], faults: [] };
}

/** Returns the document at an offset of the text as it was read before. */
function* recalledAt(
  start: number,
  text: string,
  memory: DocumentMemory,
  limits: ManifestLimits,
  fail: Fail,
): Iterable<ParsedDocument> {
  const results = memory.recall(text, () => {
    const freshResults: (ParsedDocument | Parameters<Fail>)[] = [];
    for (const document of readAt(0, text, limits, (...failure) => freshResults.push(failure)))
      freshResults.push(document);
    return freshResults;
  });
  for (const each of results) {
    if ('value' in each) yield movedBy(start, each);
    else fail(each[0], each[1], start + each[2]);
  }
}

function movedBy(start: number, { value, range, faults }: ParsedDocument): ParsedDocument {
  return {
    value,
    range: [start + range[0], start + range[1]],
    faults: faults.map((fault) => ({ ...fault, offset: start + fault.offset })),
  };
}

/** Lines that make documents depend on each other: directives, and other ends than `---`. */
const isDependent = /^(?:%|\.\.\.|---[^ \r\n])/m;

/** Returns where documents begin and end: each at its `---`. */
function* documentRanges(text: string): Iterable<readonly [start: number, end: number]> {
  let start = 0;
  if (!isDependent.test(text)) {
    for (let boundary = text.indexOf('\n---'); boundary >= 0; boundary = text.indexOf('\n---', start)) {
      yield [start, boundary + 1];
      start = boundary + 1;
    }
  }
  yield [start, text.length];
}

/** Reads the document that begins at an offset of the text with the parser. */
function* parsedAt(start: number, part: string, limits: ManifestLimits, fail: Fail): Iterable<ParsedDocument> {
  const failAt: Fail = (code, message, offset) => fail(code, message, start + offset);
  for (const document of yamlDocumentsIn(part, limits, failAt)) yield movedBy(start, document);
}

/** Returns where the first document begins that is longer than a number of characters. */
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
