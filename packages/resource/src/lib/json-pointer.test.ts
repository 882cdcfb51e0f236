import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPointer, type JsonValue, parsePointer, valueAt } from '../index.ts';

/** The document and the pointers of RFC 6901, section 5. */
const document: JsonValue = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'm~n': 8, ' ': 7 };
const examples: readonly [string, readonly string[], JsonValue][] = [
  ['', [], document],
  ['/foo', ['foo'], ['bar', 'baz']],
  ['/foo/0', ['foo', '0'], 'bar'],
  ['/', [''], 0],
  ['/a~1b', ['a/b'], 1],
  ['/c%d', ['c%d'], 2],
  ['/m~0n', ['m~n'], 8],
  ['/ ', [' '], 7],
];

describe('formatPointer', () => {
  it.each(examples)('writes %j for %j', (pointer, path) => {
    expect(formatPointer(path)).toBe(pointer);
  });

  it('takes indexes', () => {
    expect(formatPointer(['rules', 0, 'name'])).toBe('/rules/0/name');
  });
});

describe('parsePointer', () => {
  it.each(examples)('reads %j as %j', (pointer, path) => {
    expect(parsePointer(pointer)).toEqual(path);
  });

  it('reads the output of formatPointer', () => {
    const keys = fc.oneof(fc.string(), fc.stringMatching(/^[~/01]{0,6}$/));
    fc.assert(
      fc.property(fc.array(keys), (path) => {
        expect(parsePointer(formatPointer(path))).toEqual(path);
      }),
    );
  });

  it('refuses a pointer that does not begin with a slash', () => {
    expect(() => parsePointer('spec/rules')).toThrow(
      new TypeError('"spec/rules" is not a JSON Pointer: begin it with "/", or leave it empty for the whole document'),
    );
  });
});

describe('valueAt', () => {
  it.each(examples)('finds %j, by the keys %j', (pointer, _, value) => {
    expect(valueAt(document, pointer)).toEqual(value);
  });

  it.each([
    '/missing',
    '/foo/2',
    '/foo/-',
    '/foo/01',
    '/foo/length',
    '/foo/0/length',
    '/constructor',
    '/__proto__',
    '/foo/map',
  ])('finds nothing at %s: own fields and indexes only', (pointer) => {
    expect(valueAt(document, pointer)).toBeUndefined();
  });

  it('finds every value of a document at its pointer', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        for (const [key, value] of Object.entries(object)) {
          expect(valueAt(object as JsonValue, formatPointer([key]))).toBe(value);
        }
      }),
    );
  });
});
