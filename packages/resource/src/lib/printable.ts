/** Characters that a reader does not see, or that change how others are shown: controls, formats, separators of lines. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const unseenButBreaks = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes text that others wrote safe to show in one line of a terminal: control characters, among them line breaks and those that
 * begin escape sequences, and characters without a width or that turn the direction of writing, are written as `\u001b`.
 *
 * @param text Any text.
 * @returns The text, every character of which can be seen. The same when it is printable already.
 * @example
 * ```ts
 * printable('cart\u001b[2J'); // 'cart\\u001b[2J'
 * ```
 */
export function printable(text: string): string {
  return text.replace(unseen, escaped);
}

/**
 * Makes text of several lines safe to show: as {@link printable}, but its line breaks stay.
 *
 * @param text Any text.
 * @returns The text; the same when nothing in it need be escaped.
 */
export function printableLines(text: string): string {
  return text.replace(unseenButBreaks, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
