import { printable } from '@policy-machinery/resource';

/** How much of a message is left, one attempt after the other: the characters of its longest name, and whether it has parentheses. */
const attempts = [
  { name: 48, hasParentheses: true },
  { name: 32, hasParentheses: true },
  { name: 24, hasParentheses: true },
  { name: 24, hasParentheses: false },
  { name: 16, hasParentheses: false },
  { name: 12, hasParentheses: false },
] as const;

/** Words without a namespace, such as kinds, are not made shorter than this. */
const longestWord = 24;

/**
 * Returns a printable message of at most so many characters. Long names lose their middle, so that the sentence stays whole; then
 * text in parentheses is left out, and finally the end of the sentence.
 */
export function shortMessage(message: string, most: number): string {
  const text = printable(message);
  const shorter = [text, ...attempts.map((attempt) => shortenedBy(text, attempt))];
  const fitting = shorter.find((it) => Array.from(it).length <= most);
  if (fitting !== undefined) return fitting;
  const cut = Array.from(shorter.at(-1) ?? '').slice(0, most - 1);
  return `${cut.join('').trimEnd()}…`;
}

function shortenedBy(text: string, { name, hasParentheses }: (typeof attempts)[number]): string {
  const kept = hasParentheses ? text : text.replace(/ \([^()]*\)/g, '');
  return kept.replace(/\S+/g, (it) => withoutMiddle(it, it.includes('/') ? name : Math.max(name, longestWord)));
}

/** Returns `checkout-…-timeouts`. */
function withoutMiddle(word: string, most: number): string {
  const characters = Array.from(word);
  if (characters.length <= most) return word;
  const head = Math.ceil((most - 1) / 2);
  return [...characters.slice(0, head), '…', ...characters.slice(head + 1 - most)].join('');
}
