import type { CST } from 'yaml';

/**
 * Replaces values below a number of levels by `null`.
 *
 * @param document A parsed document. It is changed.
 * @param levels The maximal nesting of objects and lists.
 * @returns The offsets of the replaced values.
 */
export function cutBelow(document: CST.Document, levels: number): readonly number[] {
  const offsets: number[] = [];
  const cut = (token: CST.Token | null | undefined, remainingLevels: number): CST.Token | null | undefined => {
    if (!token || !('items' in token)) return token;
    if (remainingLevels === 0) {
      offsets.push(token.offset);
      return { type: 'scalar', offset: token.offset, indent: token.indent, source: 'null' };
    }
    for (const item of token.items) {
      if (item.key) item.key = cut(item.key, remainingLevels - 1) as CST.Token;
      if (item.value) item.value = cut(item.value, remainingLevels - 1) as CST.Token;
    }
    return token;
  };
  if (document.value) document.value = cut(document.value, levels) as CST.Token;
  return offsets;
}
