/** Characters that are invisible, or that change how others are shown: controls, formats, line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const unseenButBreaks = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes text from others safe to show in one line of a terminal. Control characters (including line breaks and the start of
 * escape sequences), characters without a width and characters that change the direction of text are written as `\u001b`.
 *
 * @param text Any text.
 * @returns The text with only visible characters; the same text if it is already printable.
 * @example
 * ```ts
 * printable('cart\u001b[2J'); // 'cart\\u001b[2J'
 * ```
 */
export function printable(text: string): string {
  return text.replace(unseen, escaped);
}

/**
 * Makes text of several lines safe to show: as {@link printable}, but keeps its line breaks.
 *
 * @param text Any text.
 * @returns The text; the same text if nothing needs escaping.
 */
export function printableLines(text: string): string {
  return text.replace(unseenButBreaks, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
