import { visit, Document as YamlDocument } from 'yaml';

/** Characters that JSON and YAML hold as they are, and that a terminal takes for something else than text. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;

/**
 * Formats a value as JSON.
 *
 * @param value The value.
 * @returns The text. Characters that cannot be seen are escaped, which means the same.
 */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2).replaceAll(unseen, escapesOf)}\n`;
}

/**
 * Formats a value as YAML.
 *
 * @param value The value.
 * @returns The text. Strings with characters that cannot be seen are quoted, and these escaped.
 */
export function yamlText(value: object): string {
  const document = new YamlDocument(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.search(unseen) >= 0) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).replaceAll(unseen, escapesOf);
}

function escapesOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
