/** A part of the comment: what one source comes to, in Markdown. */
export interface Part {
  readonly title: string;
  readonly changes: string;
  readonly findings: string;
  readonly guarantees: string;
  readonly tests: string;
}

/** By this line, the action finds its comment. */
const mark = '<!-- gwpolicy: what changes for whom -->';

/** GitHub takes 65,536 characters. */
const longest = 60_000;

/**
 * Returns the comment on a pull request.
 *
 * @param parts The sources, in order.
 */
export function commentOf(parts: readonly Part[]): string {
  const texts = parts.map(({ title, changes, findings, guarantees, tests }) =>
    [
      `## ${inline(title)}`,
      changes,
      ...(guarantees === '' ? [] : [folded('Guarantees', guarantees)]),
      ...(tests === '' ? [] : [folded('Tests', tests)]),
      ...(findings === '' ? [] : [folded('Findings', findings)]),
    ]
      .map((text) => text.trim())
      .join('\n\n'),
  );
  return `${mark}\n# Gateway API policies\n\n${bounded(texts.join('\n\n'))}\n`;
}

/**
 * Returns the comment for a text that a pull request may have made: it is shown as it is, and neither formats, links nor mentions.
 *
 * @param text The text.
 */
export function quotedComment(text: string): string {
  const body = bounded(text.replaceAll(mark, '').trim());
  const ticks = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length)) + 1;
  const fence = '`'.repeat(Math.min(ticks, longest));
  return `${mark}\n# Gateway API policies\n\nThe check of this pull request says:\n\n${fence}text\n${body}\n${fence}\n`;
}

/** Returns whether a comment is the action's own. */
export function isOwn(body: string): boolean {
  return body.startsWith(mark);
}

function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text.trim()}\n\n</details>`;
}

/** Returns a path as code, whatever characters it has. */
function inline(text: string): string {
  return `\`${text.replaceAll(/[`\r\n]/g, ' ')}\``;
}

function bounded(text: string): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf('\n', longest);
  return `${text.slice(0, end > 0 ? end : longest)}\n\nThe rest does not fit here; the log of the job has all of it.`;
}
