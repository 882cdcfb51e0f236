import type { CST } from 'yaml';
import { endOfQuoted } from './quoted.ts';

/**
 * Makes faults of forbidden YAML that the parser accepts: a quoted scalar without an end and with an escaped quote as the
 * last character, which may reach over documents, and a value without a colon after `? key`, which is lost.
 *
 * @param document A document nested no deeper than the stack allows. It is changed: composing it tells of the faults.
 */
export function refuseAcceptedFaults(document: CST.Document): void {
  const refuseIn = (token: CST.Token | null | undefined): void => {
    if (!token) return;
    if (isQuoted(token) && endOfQuoted(token.source, 0) < 0) token.source = withoutEnd(token.source);
    if (!('items' in token)) return;
    for (const item of token.items) {
      const { key, sep = [], value } = item;
      if (key && value && !sep.some(({ type }) => type === 'map-value-ind')) item.sep = [...sep, unexpected(value)];
      refuseIn(key);
      refuseIn(value);
    }
  };
  refuseIn(document.value);
}

function isQuoted(token: CST.Token): token is CST.FlowScalar {
  return token.type === 'single-quoted-scalar' || token.type === 'double-quoted-scalar';
}

/** Returns a scalar of the same length that does not end with a quote. */
function withoutEnd(source: string): string {
  return `${source.slice(0, -1)} `;
}

/** Returns a token without a place between a key and its value. */
function unexpected({ offset }: CST.Token): CST.SourceToken {
  return { type: 'seq-item-ind', offset, indent: 0, source: '-' };
}

/**
 * Leaves out the tag of `!!merge <<: *base`, which only repeats the key: the parser takes keys with tags for other values than texts.
 *
 * @param document A document nested no deeper than the stack allows. It is changed.
 */
export function dropMergeTags(document: CST.Document): void {
  const dropIn = (token: CST.Token | null | undefined): void => {
    if (!token || !('items' in token)) return;
    for (const item of token.items) {
      const { key, value, start } = item;
      if (key?.type === 'scalar' && key.source === '<<') {
        item.start = start.filter(({ type, source }) => type !== 'tag' || source !== '!!merge');
      }
      dropIn(value);
    }
  };
  dropIn(document.value);
}
