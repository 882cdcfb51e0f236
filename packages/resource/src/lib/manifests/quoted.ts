/** Returns the offset after the quote that ends a scalar, which begins with a quote at an offset; -1 if there is none. */
export function endOfQuoted(text: string, start: number): number {
  const quote = text[start] as string;
  for (let end = text.indexOf(quote, start + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    if (quote === '"' ? !isEscaped(text, end) : text[end + 1] !== "'") return end + 1;
    if (quote === "'") end += 1;
  }
  return -1;
}

function isEscaped(text: string, offset: number): boolean {
  let first = offset;
  while (text[first - 1] === '\\') first -= 1;
  return (offset - first) % 2 === 1;
}
