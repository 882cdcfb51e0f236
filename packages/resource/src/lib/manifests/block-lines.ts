/**
 * The lines of a document with content, one after the other. Blank lines and comments are left out.
 *
 * The current line can be shortened from the left: text after `- ` is read as its own line, with more indentation.
 */
export class BlockLines {
  /** How many characters come before the text of the current line; -1 after the last one. */
  indent = -1;
  /** The current line, without the spaces around it. */
  text = '';
  readonly #lines: readonly string[];
  #next = 0;

  constructor(document: string) {
    this.#lines = document.split('\n');
    this.next();
  }

  /** Goes to the next line. */
  next(): void {
    for (this.indent = -1; this.indent < 0 && this.#next < this.#lines.length; this.#next += 1) {
      const line = this.#lines[this.#next] ?? '';
      const start = endOfSpaces(line, 0);
      if (start === line.length || line[start] === '#') continue;
      this.indent = start;
      this.text = withoutSpacesAfter(line.slice(start));
    }
  }

  /** Leaves out the first characters of the current line, and the spaces after them. */
  skip(characters: number): void {
    const start = endOfSpaces(this.text, characters);
    this.indent += start;
    this.text = this.text.slice(start);
  }

  /**
   * Reads the lines of a `|` block below the current line, and goes to the line after it.
   *
   * @param parent The indentation that its lines exceed.
   * @returns The lines without their indentation; `undefined` if the block has none, or if spaces in a blank line may be content.
   */
  block(parent: number): readonly string[] | undefined {
    const lines: string[] = [];
    let indent = 0;
    for (; this.#next < this.#lines.length; this.#next += 1) {
      const line = this.#lines[this.#next] ?? '';
      const start = endOfSpaces(line, 0);
      const isBlank = start === line.length;
      if (!isBlank && start <= parent) break;
      if (!isBlank && indent === 0) indent = start;
      if (!isBlank && start < indent) break;
      if (isBlank && start > 0 && (indent === 0 || start > indent)) return undefined;
      lines.push(line.slice(indent));
    }
    this.next();
    return indent === 0 ? undefined : lines;
  }
}

function endOfSpaces(line: string, start: number): number {
  let end = start;
  while (line.charCodeAt(end) === space) end += 1;
  return end;
}

/** Returns a text without the spaces at its end. `trimEnd` removes characters that are not spaces in YAML. */
export function withoutSpacesAfter(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === space) end -= 1;
  return text.slice(0, end);
}

const space = 32;
