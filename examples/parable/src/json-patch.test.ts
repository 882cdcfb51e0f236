import { describe, expect, it } from 'vitest';
import { patched } from './json-patch.ts';

describe('patched', () => {
  it.each([
    ['adds a field', { a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
    ['replaces a field', { a: { b: 1 } }, { op: 'replace', path: '/a/b', value: 2 }, { a: { b: 2 } }],
    ['removes a field', { a: { b: 1, c: 2 } }, { op: 'remove', path: '/a/b' }, { a: { c: 2 } }],
    ['inserts an item', { a: [1, 3] }, { op: 'add', path: '/a/1', value: 2 }, { a: [1, 2, 3] }],
    ['appends an item', { a: [1] }, { op: 'add', path: '/a/-', value: 2 }, { a: [1, 2] }],
    ['replaces an item', { a: [1, 2] }, { op: 'replace', path: '/a/0', value: 3 }, { a: [3, 2] }],
    ['removes an item', { a: [1, 2] }, { op: 'remove', path: '/a/0' }, { a: [2] }],
    ['changes an item', { a: [{ b: 1 }] }, { op: 'add', path: '/a/0/c', value: 2 }, { a: [{ b: 1, c: 2 }] }],
    ['unescapes keys', { 'a/b': 1 }, { op: 'replace', path: '/a~1b', value: 2 }, { 'a/b': 2 }],
    ['passes a test that holds', { a: 1 }, { op: 'test', path: '/a', value: 1 }, { a: 1 }],
  ] as const)('%s, and leaves the document as it is', (_name, document, operation, expected) => {
    const before = structuredClone(document);
    expect(patched(document, [operation])).toEqual(expected);
    expect(document).toEqual(before);
  });

  it('refuses a patch of which a test fails', () => {
    const patch = [{ op: 'test', path: '/a', value: 2 } as const, { op: 'remove', path: '/a' } as const];
    expect(() => patched({ a: 1 }, patch)).toThrow('The test of /a has failed');
  });
});
