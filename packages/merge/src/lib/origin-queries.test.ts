import { describe, expect, it } from 'vitest';
import { mergePatch } from './merge-patch.ts';
import { contributors, listFields, listOrigins, originsAt } from './origin-queries.ts';
import { trace } from './origins.ts';

/** Three policies: the gateway's defaults, a namespace that removes a field, a route that sets some. */
const merged = mergePatch(
  mergePatch(
    trace<string>({ limits: { 'per/user': 10, total: 100, burst: 5 }, mode: 'strict', log: { level: 1 } }, 'gateway'),
    trace<string>({ limits: { burst: null } }, 'namespace'),
  ),
  trace<string>({ limits: { 'per/user': 20 }, mode: 'lax', tags: [], extra: {} }, 'route'),
);

describe('trace', () => {
  it('has one origin for the whole value', () => {
    const traced = trace({ a: { b: 1 } }, 'gateway');
    expect(listOrigins(traced.origins)).toEqual([{ pointer: '', by: ['gateway'], removed: false }]);
  });

  it('neither copies nor freezes the value', () => {
    const value = { a: { b: 1 } };
    expect(trace(value, 'gateway').value).toBe(value);
    expect(Object.isFrozen(value) || Object.isFrozen(value.a)).toBe(false);
  });
});

describe('originsAt', () => {
  it.each([
    ['a field', '/mode', ['route']],
    ['a field with a slash in its name', '/limits/per~1user', ['route']],
    ['an object: everyone who set a part of it', '/limits', ['route', 'gateway', 'namespace']],
    ['the whole value', '', ['route', 'gateway', 'namespace']],
    ['a field inside what one origin set', '/log/level', ['gateway']],
    ['a field that was removed', '/limits/burst', ['namespace']],
    ['a field that no origin set', '/nothing', []],
    ['a field inside one that no origin set', '/nothing/at/all', []],
  ])('names who set %s', (_, pointer, expected) => {
    expect(originsAt(merged.origins, pointer)).toEqual(expected);
  });

  it('refuses a malformed pointer', () => {
    expect(() => originsAt(merged.origins, 'mode')).toThrow(TypeError);
  });
});

describe('contributors', () => {
  it('names each origin once, also one that only removed a field', () => {
    expect(contributors(merged.origins)).toEqual(['route', 'gateway', 'namespace']);
  });

  it('omits origins that lost every field', () => {
    expect(contributors(mergePatch(trace({ a: 1 }, 'gateway'), trace({ a: 2 }, 'route')).origins)).toEqual(['route']);
  });
});

describe('listOrigins', () => {
  it('lists each maximal subtree once, in the order of the fields', () => {
    expect(listOrigins(merged.origins)).toEqual([
      { pointer: '/limits/per~1user', by: ['route'], removed: false },
      { pointer: '/limits/total', by: ['gateway'], removed: false },
      { pointer: '/limits/burst', by: ['namespace'], removed: true },
      { pointer: '/mode', by: ['route'], removed: false },
      { pointer: '/log', by: ['gateway'], removed: false },
      { pointer: '/tags', by: ['route'], removed: false },
      { pointer: '/extra', by: ['route'], removed: false },
    ]);
  });
});

describe('listFields', () => {
  it('lists scalars, lists and empty objects with their values, and removed fields at the end of their object', () => {
    expect(listFields(merged)).toEqual([
      { pointer: '/limits/per~1user', by: ['route'], removed: false, value: 20 },
      { pointer: '/limits/total', by: ['gateway'], removed: false, value: 100 },
      { pointer: '/limits/burst', by: ['namespace'], removed: true },
      { pointer: '/mode', by: ['route'], removed: false, value: 'lax' },
      { pointer: '/log/level', by: ['gateway'], removed: false, value: 1 },
      { pointer: '/tags', by: ['route'], removed: false, value: [] },
      { pointer: '/extra', by: ['route'], removed: false, value: {} },
    ]);
  });

  it('lists an object that removals emptied', () => {
    const emptied = mergePatch(trace({ a: { b: 1 } }, 'gateway'), trace({ a: { b: null } }, 'route'));
    expect(listFields(emptied)).toEqual([{ pointer: '/a/b', by: ['route'], removed: true }]);
  });

  it('lists an empty spec as a whole', () => {
    expect(listFields(trace({}, 'gateway'))).toEqual([{ pointer: '', by: ['gateway'], removed: false, value: {} }]);
  });

  it('refuses values that nest too deeply', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    expect(() => listFields(trace(deep, 'gateway'))).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });
});
