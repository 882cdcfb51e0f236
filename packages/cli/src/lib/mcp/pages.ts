/** How many characters an answer has at most: a few hundred tokens. */
const pageLength = 1600;

/** How many answers are kept for their further pages. */
const kept = 16;

/** Answers in pages. All pages of an answer show one moment, whatever changes meanwhile. */
export class Pages {
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** Returns the first page of a text, and keeps the rest for {@link next}. */
  first(text: string): string {
    if (text.length <= pageLength) return text;
    this.#count += 1;
    const id = String(this.#count);
    this.#texts.set(id, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > kept) this.#texts.delete(oldest);
    return pageAt(text, 0, id);
  }

  /**
   * Returns the page at a cursor.
   *
   * @param cursor The cursor on the page before.
   * @returns The page; `undefined` if the cursor is unknown, or its answer is no longer kept.
   */
  next(cursor: string): string | undefined {
    const [id = '', offset = ''] = cursor.split(':');
    const text = this.#texts.get(id);
    const start = Number(offset);
    const isThere = text !== undefined && Number.isInteger(start) && start > 0 && start < text.length;
    return isThere ? pageAt(text, start, id) : undefined;
  }
}

/** Returns a page of whole lines, with the cursor of the next one. Only a line longer than a page is cut. */
function pageAt(text: string, start: number, id: string): string {
  const rest = text.slice(start);
  if (rest.length <= pageLength) return rest;
  const lineEnd = rest.lastIndexOf('\n', pageLength) + 1;
  const length = lineEnd > 0 ? lineEnd : pageLength;
  const left = rest.slice(length).trimEnd().split('\n').length;
  const lines = `${left} more ${left === 1 ? 'line' : 'lines'}`;
  return `${rest.slice(0, length).trimEnd()}\n[${lines}: call "more" with the cursor "${id}:${start + length}"]\n`;
}
