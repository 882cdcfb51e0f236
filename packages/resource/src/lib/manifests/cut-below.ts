import type { CST } from 'yaml';

/**
 * Puts `null` in the place of what nests deeper than so many levels.
 *
 * @param document A document as the parser has it. It is changed.
 * @param levels How many objects and lists may nest.
 * @returns The offsets of what has gone.
 */
export function cutBelow(document: CST.Document, levels: number): readonly number[] {
  const offsets: number[] = [];
  const cut = (token: CST.Token | null | undefined, left: number): CST.Token | null | undefined => {
    if (!token || !('items' in token)) return token;
    if (left === 0) {
      offsets.push(token.offset);
      return { type: 'scalar', offset: token.offset, indent: token.indent, source: 'null' };
    }
    for (const item of token.items) {
      if (item.key) item.key = cut(item.key, left - 1) as CST.Token;
      if (item.value) item.value = cut(item.value, left - 1) as CST.Token;
    }
    return token;
  };
  if (document.value) document.value = cut(document.value, levels) as CST.Token;
  return offsets;
}
