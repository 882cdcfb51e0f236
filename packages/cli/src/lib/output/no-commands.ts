import { stripVTControlCharacters } from 'node:util';

/** How lines begin that GitHub Actions takes for commands, after spaces and colours. */
const starts = ['::', '##['] as const;

/**
 * Makes text for people safe to print in a job of GitHub Actions, which obeys lines such as `::add-mask::x`: names of objects and files can begin
 * a line. The first character of such a line is escaped.
 *
 * @returns The lines, the same as before unless one of them would be a command.
 */
export function withoutCommands(text: string): string {
  if (!starts.some((start) => text.includes(start))) return text;
  return text.replaceAll(/[^\n\r]+/g, withoutCommand);
}

function withoutCommand(line: string): string {
  const plain = stripVTControlCharacters(line).trimStart();
  const start = starts.find((each) => plain.startsWith(each));
  if (start === undefined) return line;
  const at = line.indexOf(start);
  return `${line.slice(0, at)}\\u00${start.charCodeAt(0).toString(16)}${line.slice(at + 1)}`;
}
