import { invalidSelector, type LabelRequirement, type LabelSelector } from './label-selector.ts';

/** A label key: an optional DNS subdomain and a slash, then a name. */
const key = String.raw`(?:[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?`;
const value = String.raw`(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?`;
const set = String.raw`\(([^()]*)\)`;

/** The string grammar as a table: each form of a requirement, and its meaning. They are tried in this order. */
const forms: readonly [RegExp, (key: string, value: string) => LabelRequirement][] = [
  [new RegExp(`^(${key})\\s+in\\s*${set}$`), (key, set) => ({ key, operator: 'In', values: valuesIn(set) })],
  [new RegExp(`^(${key})\\s+notin\\s*${set}$`), (key, set) => ({ key, operator: 'NotIn', values: valuesIn(set) })],
  [new RegExp(`^(${key})\\s*==?\\s*(${value})$`), (key, value) => ({ key, operator: 'In', values: [value] })],
  [new RegExp(`^(${key})\\s*!=\\s*(${value})$`), (key, value) => ({ key, operator: 'NotIn', values: [value] })],
  [new RegExp(`^(${key})\\s*>\\s*(-?\\d+)$`), (key, value) => ({ key, operator: 'Gt', values: [value] })],
  [new RegExp(`^(${key})\\s*<\\s*(-?\\d+)$`), (key, value) => ({ key, operator: 'Lt', values: [value] })],
  [new RegExp(`^(${key})$`), (key) => ({ key, operator: 'Exists' })],
  [new RegExp(`^!\\s*(${key})$`), (key) => ({ key, operator: 'DoesNotExist' })],
];

/**
 * Parses the string form of a selector, as in `kubectl get -l`: `env=prod,tier in (web, api),!canary`.
 *
 * @param text Requirements, separated by commas. An empty text selects everything.
 * @returns The selector.
 * @throws {PolicyMachineryError} `invalid-selector`, naming the requirement that cannot be read.
 */
export function parseSelector(text: string): LabelSelector {
  if (text.trim() === '') return {};
  return { matchExpressions: splitOutsideParentheses(text).map(parseRequirement) };
}

function parseRequirement(text: string): LabelRequirement {
  for (const [form, requirement] of forms) {
    const match = form.exec(text);
    if (match !== null) return requirement(match[1] ?? '', match[2] ?? '');
  }
  throw invalidSelector(
    `"${text}" is not of the form key, !key, key=value, key!=value, key in (a,b), key notin (a,b), key>1, key<1`,
  );
}

function splitOutsideParentheses(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let inside = false;
  for (const { 0: separator, index } of text.matchAll(/[(),]/g)) {
    if (separator !== ',') inside = separator === '(';
    else if (!inside) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

const labelValue = new RegExp(`^${value}$`);

function valuesIn(set: string): string[] {
  const values = set.split(',').map((part) => part.trim());
  const wrong = values.find((part) => !labelValue.test(part));
  if (wrong !== undefined) throw invalidSelector(`"${wrong}" is not a label value`);
  return values;
}
