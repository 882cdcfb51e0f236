import { type CST, Lexer, Parser } from 'yaml';
import { endOfQuoted } from './quoted.ts';

/** Markers of the lexer for its state, which are not text. */
const startOfDocument = '\u0002';
const startOfScalar = '\u001f';
const brokenFlow = '\u0018';
const isNoText: ReadonlySet<string> = new Set([startOfDocument, startOfScalar, brokenFlow]);

/**
 * Reads the tokens of a YAML text. Quoted scalars and flow collections may continue on lines that are not indented, as in the
 * YAML of Go and Python (and so of kubectl), because text between quotes or brackets is never ambiguous. The lexer requires
 * indentation there, so where it finds none, another lexer without indentation takes over.
 *
 * @returns Its tokens, as `new Parser().parse(text)` does. O(length).
 */
export function* tokensIn(text: string): Iterable<CST.Token> {
  const parser = new Parser();
  for (const lexeme of lexemesIn(text)) yield* parser.next(lexeme);
  yield* parser.end();
}

function* lexemesIn(text: string): Iterable<string> {
  let lexemes = new Lexer().lex(text);
  let offset = 0;
  let flowLevel = 0;
  let isScalarNext = false;
  /** Whether a following colon makes the last value a key of a flow mapping, even without a space. */
  let isFlowKey = false;
  for (let next = lexemes.next(); next.done !== true; next = lexemes.next()) {
    let lexeme = next.value;
    const first: string | undefined = isScalarNext ? '' : lexeme[0];
    if (first === brokenFlow && !isDocumentMarker(text, offset)) {
      lexemes = resumed(text, offset, flowLevel, isFlowKey);
      continue;
    }
    if (first === '"' || first === "'") {
      const end = endOfQuoted(text, offset);
      if (offset + lexeme.length !== end && mayEndAt(text, offset, end, flowLevel > 0)) {
        lexeme = text.slice(offset, end);
        lexemes = resumed(text, end, flowLevel, true);
      }
    }
    yield* first === '*' ? aliasLexemes(lexeme) : [lexeme];
    flowLevel = levelAfter(flowLevel, first);
    if (first !== undefined && !/[\s#]/.test(first)) isFlowKey = /["'\]}]/.test(first);
    isScalarNext = first === startOfScalar;
    if (first === undefined || !isNoText.has(first)) offset += lexeme.length;
  }
}

/** Returns an alias, and the colon after it: names of anchors contain none in Go, so that `*name:` is a key. */
function aliasLexemes(lexeme: string): readonly string[] {
  return /^\*[-\w]+:$/.test(lexeme) ? [lexeme.slice(0, -1), ':'] : [lexeme];
}

function levelAfter(flowLevel: number, first: string | undefined): number {
  if (first === '[' || first === '{') return flowLevel + 1;
  if (first === ']' || first === '}') return Math.max(flowLevel - 1, 0);
  return first === brokenFlow ? 0 : flowLevel;
}

/** Returns a lexer that continues at an offset, within a number of brackets, or after a value. */
function resumed(text: string, offset: number, flowLevel: number, isFlowKey: boolean): Generator<string, void> {
  const lexer = new Lexer();
  const scalar = isFlowKey || flowLevel === 0 ? '""' : '';
  const openingTokens = lexer.lex(`${'['.repeat(flowLevel)}${scalar}\n`, true);
  while (openingTokens.next().done !== true); // Only its state matters.
  return lexer.lex(text.slice(offset));
}

/** Returns whether a quoted scalar also ends there for Go: no document begins or ends in it, and nothing follows on its line. */
function mayEndAt(text: string, start: number, end: number, isInFlow: boolean): boolean {
  if (end < 0) return false;
  for (let line = text.indexOf('\n', start) + 1; line > 0 && line < end; line = text.indexOf('\n', line) + 1) {
    if (isDocumentMarker(text, line)) return false;
  }
  const rest = /[ \t]*(?:\r?\n|$)|[ \t]+#/y;
  rest.lastIndex = end;
  return isInFlow || rest.test(text);
}

function isDocumentMarker(text: string, offset: number): boolean {
  const marker = /(?:---|\.\.\.)(?:\s|$)/y;
  marker.lastIndex = offset;
  return (offset === 0 || text[offset - 1] === '\n') && marker.test(text);
}
