/**
 * Joins paragraphs with an empty line between them.
 *
 * @param paragraphs The lines of each; empty ones, such as the lines of an empty table, are left out.
 * @returns The text, with a line break at its end.
 */
export function formatParagraphs(paragraphs: readonly (readonly string[])[]): string {
  const texts = paragraphs.map((lines) => lines.filter((line) => line !== '').join('\n'));
  return `${texts.join('\n\n')}\n`;
}
