import { formatValue } from '@policy-machinery/text/inner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

describe('formatValue', () => {
  it.each([
    ['10s', '10s'],
    [3, '3'],
    [['https://a.example.com', 'x y'], '[https://a.example.com, x y]'],
    [
      [{ name: 'a', remoteJWKS: { uri: 'https://a' }, claims: [] }],
      '[{ name: a, remoteJWKS: { uri: https://a }, claims: [] }]',
    ],
    [{ on: 'yes', port: '80', empty: '', glob: '*.a' }, '{ "on": "yes", port: "80", empty: "", glob: "*.a" }'],
    [undefined, 'null'],
  ])('writes %j as %s', (value, text) => expect(formatValue(value)).toBe(text));

  it('writes text that YAML reads as the same value', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
    const word = fc.stringMatching(/^[ -~]{0,8}$/);
    fc.assert(
      fc.property(fc.oneof(fc.array(json), fc.dictionary(word, word), fc.array(word)), (value) => {
        expect(parse(formatValue(value))).toEqual(value);
        expect(parse(formatValue(value), { version: '1.1' })).toEqual(value);
      }),
    );
  });
});
