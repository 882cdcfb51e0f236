/** The maximal length of the message of a condition in Kubernetes. */
export const maxMessageLength = 32_768;

/**
 * Cuts a message that is too long for Kubernetes, after a word if one ends near the limit, and appends `…`.
 *
 * @returns The message, of at most 32,768 UTF-16 code units, without incomplete characters.
 */
export function truncateMessage(message: string): string {
  if (message.length <= maxMessageLength) return message;
  const cut = message.slice(0, maxMessageLength - 1);
  const space = cut.lastIndexOf(' ');
  // A space far before the limit would remove too much of the message.
  const text = space > cut.length - 300 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${text}…`;
}
