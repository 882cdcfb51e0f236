import { describe, expect, it } from 'vitest';
import { withoutNulls } from './without-nulls.ts';

describe('withoutNulls', () => {
  it('drops the fields that are null, also inside and in items of lists', () => {
    expect(withoutNulls({ a: null, b: { c: null, d: 1 }, e: [{ f: null }, null] })).toEqual({
      b: { d: 1 },
      e: [{}, null],
    });
  });

  it('returns the identical object if no field is null', () => {
    const object = { a: { b: [] }, c: '' };
    expect(withoutNulls(object)).toBe(object);
  });
});
