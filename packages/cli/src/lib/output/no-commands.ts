/** The beginning of a line that GitHub Actions takes for a command, after spaces and colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
const command = /^((?:\s|\u001b\[[\d;]*m)*)(::|##\[)/gmu;

/**
 * Makes text for people safe to print in a job of GitHub Actions, which obeys lines such as `::add-mask::x`: names of objects and files can begin
 * a line. The first character of such a line is escaped.
 *
 * @param text Lines for people.
 * @returns The lines, the same as before unless one of them would be a command.
 */
export function withoutCommands(text: string): string {
  return text.replace(
    command,
    (_, before: string, start: string) => `${before}\\u00${start.charCodeAt(0).toString(16)}${start.slice(1)}`,
  );
}
