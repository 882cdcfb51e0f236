import { describe, expect, it } from 'vitest';
import { isJsonObject, objectIn, objectsIn, stringIn } from '../index.ts';

describe('isJsonObject', () => {
  it.each([{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":1}')])('is true for the object %o', (value) => {
    expect(isJsonObject(value)).toBe(true);
  });

  it.each([null, undefined, 'text', 1, true, [], new Date(0), new Map(), () => 1, new (class Service {})()])(
    'is false for %s',
    (value) => {
      expect(isJsonObject(value)).toBe(false);
    },
  );
});

describe('objectIn', () => {
  it('is an object itself, and an empty one for anything else', () => {
    const spec = { name: 'a' };
    expect(objectIn(spec)).toBe(spec);
    for (const value of [undefined, null, 'a', [spec], new Date(0)]) expect(objectIn(value)).toEqual({});
  });
});

describe('objectsIn', () => {
  it('keeps the objects of a list', () => {
    expect(objectsIn([{ name: 'a' }, null, 'b', [], { name: 'c' }])).toEqual([{ name: 'a' }, { name: 'c' }]);
  });

  it.each([undefined, null, 'text', { 0: {} }])('finds none in %j', (value) => {
    expect(objectsIn(value)).toEqual([]);
  });
});

describe('stringIn', () => {
  it('returns only strings, including the empty one', () => {
    expect(['a', '', 1, null, undefined, {}].map(stringIn)).toEqual([
      'a',
      '',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
