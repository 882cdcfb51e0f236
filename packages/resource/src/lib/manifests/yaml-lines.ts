/** A place of a YAML text that kubectl refuses, or reads in another way. */
export interface LineFault {
  readonly message: string;
  readonly offset: number;
}

/** Line breaks for kubectl's parser, which ends comments at them, and that are characters in YAML 1.2. */
const otherBreaks = /\r(?!\n)|[\u0085\u2028\u2029]/g;

/** Characters that kubectl refuses in YAML, in comments as well. */
const refused =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

/** A separator of documents with anything but a comment after it. */
const separatorWithText = /^---[ \t]*(?=[^\s#])/m;

const documentEnd = /^\.\.\.(?=\s|$)/gm;

const rules = [
  [refused, 'a control character, which kubectl refuses; remove it'],
  [separatorWithText, 'text after ---, which kubectl refuses; begin a line with it'],
  [/^%/m, 'a directive, which kubectl refuses; remove it'],
] as const;

/**
 * Returns a YAML text with line feeds in place of all characters that are line breaks for kubectl, and without the parts that kubectl refuses, or
 * reads in part only: it splits a text at lines with `---`, and reads one document of each part.
 *
 * @param fail Receives the first fault of each such part.
 * @returns The text, with blanks in place of these parts, so that offsets stay the same. O(length).
 */
export function withoutRefusedParts(text: string, fail: (fault: LineFault) => void): string {
  if (![refused, special, otherBreak].some((pattern) => pattern.test(text))) return text;
  const starts = [0, ...[...text.matchAll(separator)].map(({ index }) => index + 1), text.length];
  const parts = starts.slice(1).map((end, index) => {
    const start = starts[index] ?? 0;
    const part = text.slice(start, end).replace(otherBreaks, '\n');
    const fault = faultIn(part);
    if (fault === undefined) return part;
    fail({ ...fault, offset: start + fault.offset });
    const blank = part.replace(/[^\n]/g, ' ');
    return part.startsWith('---') ? `---${blank.slice(3)}` : blank;
  });
  return parts.join('');
}

const separator = /\n(?=---)/g;
const otherBreak = /\r(?!\n)|[\u0085\u2028\u2029]/;
const special = /^(?:%|\.\.\.|---[ \t]*[^\s#])/m;

function faultIn(part: string): LineFault | undefined {
  for (const [pattern, message] of rules) {
    const offset = part.search(pattern);
    if (offset >= 0) return { message, offset };
  }
  // Only a line feed begins a line for the splitting; after another break, a separator begins a second document of the part.
  const second = part.indexOf('\n---');
  if (second >= 0)
    return {
      message: 'kubectl does not read beyond this line; end the previous one with a line feed',
      offset: second + 1,
    };
  for (const { index } of part.matchAll(documentEnd)) {
    const offset = contentAfter(part, part.indexOf('\n', index));
    if (offset !== undefined)
      return { message: 'kubectl does not read beyond "..."; write "---" in its place', offset };
  }
  return undefined;
}

/** Returns where the next line begins that is neither blank nor a comment. */
function contentAfter(text: string, lineEnd: number): number | undefined {
  for (let start = lineEnd + 1; lineEnd >= 0 && start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end).trimStart();
    if (line !== '' && line !== '\r' && !line.startsWith('#')) return start;
    if (end < 0) return undefined;
    start = end + 1;
  }
  return undefined;
}
