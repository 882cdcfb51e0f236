import { describe, expect, it } from 'vitest';
import { parseManifests } from './manifests.ts';

const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
const most = 4 * 1024 * 1024;

/** A manifest with a number of characters, most of which are one value. */
const sized = (characters: number) =>
  `${object}data: { a: ${'x'.repeat(characters - object.length - 'data: { a:  }'.length)} }`;

describe('the default limits', () => {
  it('allow a YAML document of 4 Mi characters, and no more', () => {
    expect(sized(most)).toHaveLength(most);
    expect(parseManifests(sized(most)).resources).toHaveLength(1);
    expect(() => parseManifests(sized(most + 1))).toThrow(/characters/);
  });

  it('count each document of a text', () => {
    const text = [sized(most - 10), sized(most - 10).replace('name: a', 'name: b')].join('\n---\n');
    expect(parseManifests(text).resources).toHaveLength(2);
  });
});
