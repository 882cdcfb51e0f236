/** How long Kubernetes lets the message of a condition be (S-22). */
export const maxMessageLength = 32_768;

/**
 * Cuts a message that is too long for Kubernetes, after a word where there is one near the limit, and ends it with `…`.
 *
 * @param message The message.
 * @returns The message, of at most 32,768 UTF-16 code units; none of its characters is cut in half.
 */
export function truncateMessage(message: string): string {
  if (message.length <= maxMessageLength) return message;
  const cut = message.slice(0, maxMessageLength - 1);
  const space = cut.lastIndexOf(' ');
  // A space far before the limit would cost too much of the message.
  const text = space > cut.length - 300 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${text}…`;
}
