import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import vectors from '../../vectors/strategic-merge.json' with { type: 'json' };
import { fieldWise, listOrigins, trace, union } from '../index.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';

const lists = Object.entries(vectors.lists).map(([pointer, key]) => [pointer, key === '' ? union : { keys: [key] }]);
const strategy = fieldWise({ at: Object.fromEntries(lists), nullRemoves: true });

function merge(original: JsonObject, patch: JsonObject) {
  return strategy.defaults(trace(deepFreeze(original), 'parent'), trace(deepFreeze(patch), 'child'));
}

/** As decoding into a Go type leaves it. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutNulls(field)]));
}

const named = (names: string): JsonValue => [...names].map((name) => ({ name }));

describe("fieldWise beside Kubernetes' strategic merge patch", () => {
  it.each(vectors.cases.map((vector, index) => [index + 1, vector] as const))('agrees with it on vector %i', (_, v) => {
    const { original, patch, result } = v as unknown as Record<keyof typeof v, JsonObject>;
    expect(withoutNulls(merge(original, patch).value)).toEqual(result);
  });

  it.each([
    ['an item that only the parent has stays before those that followed it', 'abc', 'cb', 'acb'],
    ['an item that only the child has comes before what only the parent has', 'ab', 'cb', 'cab'],
    ['an item that only the child has keeps its place among those of the child', 'ab', 'acb', 'acb'],
    ['the child reorders what both have', 'abc', 'cba', 'cba'],
    ['nothing in common: the child comes first', 'ab', 'cd', 'cdab'],
    ['an empty list takes nothing away', 'ab', '', 'ab'],
  ])('%s', (_, parent, child, expected) => {
    expect(merge({ backends: named(parent) }, { backends: named(child) }).value).toEqual({ backends: named(expected) });
    expect(merge({ zones: [...parent] }, { zones: [...child] }).value).toEqual({ zones: [...expected] });
  });

  it('records who set each item, at its new position', () => {
    const parent = { backends: [{ name: 'a' }, { name: 'b', weight: 1 }] };
    const { origins } = merge(parent, { backends: [{ name: 'c' }, { name: 'b' }] });
    expect(listOrigins(origins).map(({ pointer, by }) => `${pointer} ${by.join()}`)).toEqual([
      '/backends/0 child',
      '/backends/1 parent',
      '/backends/2/name child',
      '/backends/2/weight parent',
    ]);
  });

  it('treats directives as ordinary fields, because the types of policies have none', () => {
    const child = { backends: [{ name: 'a', $patch: 'delete' }], $retainKeys: ['backends'] };
    expect(merge({ backends: named('ab'), hosts: ['x'] }, child).value).toEqual({
      backends: [{ name: 'a', $patch: 'delete' }, { name: 'b' }],
      hosts: ['x'],
      $retainKeys: ['backends'],
    });
  });
});

describe('union', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['one of them holds objects', ['a'], [{ name: 'b' }]],
    ['one of them holds lists', [['a']], ['b']],
    ['one of them is no list', 'a', ['b']],
  ])('replaces values that it cannot unite: %s', (_, parent, child) => {
    expect(merge({ zones: parent }, { zones: child }).value).toEqual({ zones: child });
  });

  it('keeps each scalar of both once', () => {
    const { value, origins } = merge({ hosts: ['x'], zones: ['a', 'b', 'a', '1'] }, { zones: ['c', 'c', 1] });
    expect(value).toEqual({ hosts: ['x'], zones: ['c', 1, 'a', 'b', '1'] });
    expect(listOrigins(origins)).toContainEqual({ pointer: '/zones', by: ['child', 'parent'], removed: false });
  });
});
