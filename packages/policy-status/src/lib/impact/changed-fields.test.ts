import { describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

describe('the fields of an effective change', () => {
  it.each([
    ['a field of an object', { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, [['/a/b', 1, 2]]],
    ['a list, as a whole', { list: [1, 2] }, { list: [2] }, [['/list', [1, 2], [2]]]],
    [
      'what comes and what goes',
      { a: 1 },
      { b: { c: 2 } },
      [
        ['/a', 1, undefined],
        ['/b/c', undefined, 2],
      ],
    ],
    ['an object that becomes a value', { a: { b: 1 } }, { a: 1 }, [['/a', { b: 1 }, 1]]],
    ['a whole spec', undefined, { a: 1 }, [['/a', undefined, 1]]],
    ['keys of prototypes', { constructor: 1 }, { constructor: 2 }, [['/constructor', 1, 2]]],
    ['an empty object that goes', { a: {} }, {}, [['/a', {}, undefined]]],
    ['nothing', { a: [1] }, { a: [1] }, []],
  ])('returns %s', (_what, before, after, expected) => {
    expect(changedFields(before, after).map(({ pointer, before: was, after: is }) => [pointer, was, is])).toEqual(
      expected,
    );
  });
});
