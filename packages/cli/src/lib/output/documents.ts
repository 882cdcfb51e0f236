import { visit, Document as YamlDocument } from 'yaml';

/** Characters that are valid in JSON and YAML, and that a terminal does not show as text. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;

/**
 * Formats a value as JSON.
 *
 * @returns The text. Invisible characters are escaped, which does not change the value.
 */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2).replaceAll(unseen, escapesOf)}\n`;
}

/** Invisible characters, several lines, and the beginning of a command of GitHub Actions. */
const mustBeQuoted = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f\n]|^\s*(::|##\[)/u;

/**
 * Formats a value as YAML.
 *
 * @returns The text. Strings with invisible characters are quoted, and these characters escaped; so are strings with lines that CI would
 * take for commands.
 */
export function yamlText(value: object): string {
  const document = new YamlDocument(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && mustBeQuoted.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).replaceAll(unseen, escapesOf);
}

function escapesOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
