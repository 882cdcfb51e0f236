import type { ScalarTag, Tags } from 'yaml';
import { plainValue } from './plain-scalars.ts';

type Resolve = (text: string, onError: (message: string) => void) => unknown;

const tagNamed = (name: string, resolve: Resolve): ScalarTag => {
  return { tag: `tag:yaml.org,2002:${name}`, default: false, resolve };
};

/** Returns a tag for values of a type, as their plain scalars are written. */
const typed = (name: string, isOfType: (value: unknown) => boolean): ScalarTag =>
  tagNamed(name, (text, onError) => {
    const value = plainValue(text);
    if (!isOfType(value)) onError(`!!${name} contains another value; correct it`);
    return value;
  });

const isNumber = (value: unknown): boolean => typeof value === 'number';

const binary: Resolve = (text, onError) => {
  try {
    const bytes = atob(text.replace(/\s/g, ''));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    onError('!!binary contains no base64; correct it');
    return text;
  }
};

/** Scalars as kubectl reads them; lists and objects as the parser does. */
const scalarTags: readonly ScalarTag[] = [
  { ...tagNamed('plain', plainValue), default: true, test: /^(?:$|[-+.\dyYnNtTfFoO~])/ },
  typed('null', (value) => value === null),
  typed('bool', (value) => typeof value === 'boolean'),
  typed('int', Number.isInteger),
  typed('float', isNumber),
  tagNamed('timestamp', (text) => text),
  tagNamed('binary', binary),
];

/**
 * Reads YAML as kubectl does. Keys that are not scalars lack a counterpart in JSON. `nodeFaults` finds repeated keys, because the parser's own
 * check takes quadratic time. `resolveKeys` reads keys, and merges.
 */
export const yamlOptions = {
  version: '1.2',
  schema: 'failsafe',
  customTags: (tags: Tags): Tags => [...tags, ...scalarTags],
  prettyErrors: false,
  stringKeys: true,
  uniqueKeys: false,
  logLevel: 'silent',
} as const;
