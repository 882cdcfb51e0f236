import { Composer, type Document, type ErrorCode, isCollection, type ParsedNode, type YAMLError, YAMLMap } from 'yaml';
import { messageOf } from '../message-of.ts';
import { cutBelow } from './cut-below.ts';
import type { ManifestLimits } from './limits.ts';
import { dropMergeTags, refuseAcceptedFaults } from './strict-tokens.ts';
import { nodeFaults, type PartFault, pathAt } from './yaml-faults.ts';
import { resolveAliasKeys, resolveKeys } from './yaml-keys.ts';
import { yamlOptions } from './yaml-options.ts';
import { tokensIn } from './yaml-tokens.ts';

/** The value of a document, and the offsets of its first character and after its last. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly range: readonly [number, number];
  /** The parts of the value that could not be read as written, because the text is faulty. */
  readonly faults: readonly PartFault[];
}

/** Receives a fault that makes a document unreadable. */
export type Fail = (code: string, message: string, offset: number) => void;

/** A text with more stray characters than this is not YAML, and not worth an issue for each. */
const maxStrayTokens = 100;

/** Reads the documents of a YAML text with the parser, one by one, with only one in memory at a time. */
export function* yamlDocumentsIn(text: string, limits: ManifestLimits, fail: Fail): Iterable<ParsedDocument> {
  for (const { document, tooDeep } of composed(text, limits.depth, fail)) {
    const tooDeepFaults = tooDeep.map((offset) => ({ code: 'too-deep', message: flatten(limits.depth), offset }));
    const aliasKeys = resolveAliasKeys(document);
    const isWrong = ({ code, pos }: YAMLError) => code !== 'NON_STRING_KEY' || !aliasKeys.has(pos[0]);
    const wrong = [
      ...document.errors.filter(isWrong),
      ...document.warnings.filter(({ code }) => code !== 'BAD_INDENT'),
    ];
    const misread = wrong.filter(({ code }) => !isAboutTag.has(code)).map(syntaxFault);
    if (misread.length > 0) {
      const template = misread.find(({ offset }) => isTemplateAt(text, offset));
      const allFaults = tooDeep.length > 0 ? tooDeepFaults.slice(0, 1) : wrong.map(syntaxFault);
      const reportedFaults = template === undefined ? allFaults : [{ ...template, message: renderFirst }];
      for (const { code, message, offset } of reportedFaults) fail(code, message, offset);
      continue;
    }
    const [start, , end] = document.range;
    const badKeys = resolveKeys(document).map((fault) => ({ code: 'yaml-syntax', ...fault }));
    const faults: PartFault[] = [...tooDeepFaults, ...wrong.map(syntaxFault), ...badKeys].map((fault) => {
      return { ...fault, path: pathAt(document.contents, fault.offset) };
    });
    faults.push(...nodeFaults(document.contents, limits.aliases, faults));
    try {
      yield { value: valueIn(document, faults), range: [start, end], faults };
    } catch (error) {
      fail('yaml-syntax', messageOf(error), start);
    }
  }
}

/** Errors and warnings that do not affect the rest of a document. */
const isAboutTag: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']);

const flatten = (maxDepth: number): string => `nested more than ${maxDepth} levels deep; flatten it`;

const renderFirst = 'a template, which is not YAML before it is rendered; read the output of "helm template" instead';

/** Returns whether the line of a fault has an action of a template, such as `{{ .Values.name }}`, near the fault. */
function isTemplateAt(text: string, offset: number): boolean {
  const textBefore =
    text
      .slice(Math.max(0, offset - 100), offset)
      .split('\n')
      .at(-1) ?? '';
  const [textAfter = ''] = text.slice(offset, offset + 100).split('\n', 1);
  return `${textBefore}${textAfter}`.includes('{{');
}

/** Messages in place of messages that name the parser's options, or lack a remedy. */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  NON_STRING_KEY: 'a key is a list or an object; write a string',
  TAB_AS_INDENT: 'a tab indents the line; use spaces',
};

function syntaxFault({ code, message, pos }: YAMLError) {
  return { code: 'yaml-syntax', message: messages[code] ?? message, offset: pos[0] };
}

/** Returns the value of a document. If it has none, it may be a list with some items that have none. */
function valueIn(document: Document.Parsed, faults: PartFault[]): unknown {
  const options = { maxAliasCount: -1 };
  try {
    return document.toJS(options);
  } catch (error) {
    const items = document.get('items', true);
    if (!isCollection(items)) throw error;
    for (const [index, item] of items.items.entries()) {
      if (!isCollection(item)) continue;
      try {
        item.toJS(document, options);
      } catch (cause) {
        const offset = (item as ParsedNode).range[0];
        faults.push({ code: 'yaml-syntax', message: messageOf(cause), offset, path: ['items', index] });
        items.items[index] = new YAMLMap();
      }
    }
    return document.toJS(options);
  }
}

/** Parses documents. The parser needs no stack, but composing does, so values that are nested too deeply are removed first. */
function* composed(text: string, maxDepth: number, fail: Fail) {
  const composer = new Composer(yamlOptions);
  let strayTokens = 0;
  let tooDeep: readonly number[] = [];
  for (const token of tokensIn(text)) {
    if (token.type === 'error') strayTokens += 1;
    if (strayTokens > maxStrayTokens) break;
    const cut = token.type === 'document' ? cutBelow(token, maxDepth) : undefined;
    if (token.type === 'document') {
      refuseAcceptedFaults(token);
      dropMergeTags(token);
    }
    for (const document of composer.next(token)) yield { document, tooDeep };
    tooDeep = cut ?? tooDeep;
  }
  for (const document of composer.end()) yield { document, tooDeep };
  const { errors, warnings } = composer.streamInfo();
  for (const { message, pos } of [...errors, ...warnings]) fail('yaml-syntax', message, pos[0]);
}
