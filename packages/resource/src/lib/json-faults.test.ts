import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFaults } from '../inner.ts';

const fail = (key: PropertyKey): never => {
  throw new Error(`no ${String(key)}`);
};

const nested = (levels: number): unknown => {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe('jsonFaults', () => {
  it('finds none in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const faults = jsonFaults(value, 100).filter(({ code }) => code !== 'unsafe-key');
        expect(faults).toEqual([]);
      }),
    );
  });

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['Date', new Date(0)],
    ['Map', new Map()],
    ['Uint8Array', new Uint8Array(3)],
    ['BigInt', 1n],
    ['Function', () => 1],
    ['Symbol', Symbol('a')],
    ['Object', new (class Thing {})()],
  ])('finds that %s is not JSON, and where', (name, value) => {
    expect(jsonFaults({ spec: [1, value] }, 100)).toEqual([
      { code: 'no-json', path: ['spec', 1], message: `${name} is not a JSON value; quote it to make it a string` },
    ]);
  });

  it('finds __proto__ keys, and takes constructor and prototype for data', () => {
    const value = JSON.parse('{"a":[{"__proto__":{"b":1}}],"constructor":{"prototype":1},"__proto__":2}');
    expect(jsonFaults(value, 100)).toMatchObject([
      { code: 'unsafe-key', path: ['a', 0, '__proto__'] },
      { code: 'unsafe-key', path: ['__proto__'] },
    ]);
  });

  it('counts objects and lists, not their contents', () => {
    expect(jsonFaults(nested(5), 5)).toEqual([]);
    expect(jsonFaults(nested(6), 5)).toMatchObject([{ code: 'too-deep', path: ['a', 0, 'a'] }]);
    expect(jsonFaults('text', 0)).toEqual([]);
    expect(jsonFaults(nested(5), 7, 2)).toEqual([]);
    expect(jsonFaults(nested(5), 7, 3)).toMatchObject([
      { code: 'too-deep', message: expect.stringContaining('more than 7 levels') },
    ]);
  });

  it('reports unreadable values', () => {
    const fail = (): never => {
      throw new Error('no entry');
    };
    const values = [
      Object.defineProperty({}, 'a', { get: fail, enumerable: true }),
      new Proxy({}, { get: fail }),
      new Proxy({}, { ownKeys: fail }),
      new Proxy({}, { getPrototypeOf: fail }),
      new Proxy([1], { get: fail }),
    ];
    for (const value of values) {
      expect(jsonFaults({ b: 1, spec: [value, Number.NaN] }, 100)).toMatchObject([
        { code: 'no-json', path: ['spec', 0], message: 'cannot be read: no entry' },
        { code: 'no-json', path: ['spec', 1] },
      ]);
    }
  });

  it('finds the first hole of a list with any number of holes', () => {
    const list = [1];
    list[4_000_000_000] = 2;
    expect(jsonFaults({ list }, 100)).toMatchObject([{ code: 'no-json', path: ['list', 1] }]);
  });

  it('survives nesting that would exhaust the stack', () => {
    expect(jsonFaults(nested(100_000), 100)).toMatchObject([{ code: 'too-deep' }]);
  });

  it('finds a cycle, in however many places an object contains itself', () => {
    const value: Record<string, unknown> = {};
    for (const key of 'abcdefgh') value[key] = value;
    expect(jsonFaults(value, 100).every(({ code }) => code === 'too-deep')).toBe(true);
    expect(jsonFaults(value, 100)).not.toHaveLength(0);
  });

  it('reports the faults of an object in several places once, and again only at deeper places', () => {
    const value = { odd: Number.NaN };
    const paths = jsonFaults({ first: value, second: value, third: [value], last: [value] }, 10).map(
      ({ path }) => path,
    );
    expect(paths).toEqual([
      ['first', 'odd'],
      ['third', 0, 'odd'],
    ]);
  });

  it('finds the same in a value beside many objects as in the value alone', () => {
    const many = Array.from({ length: 1001 }, () => ({}));
    const hostile = fc.constantFrom(
      () => new Proxy({}, { get: () => 1 }),
      () => new Proxy({ a: 1 }, { get: (_, key) => (key === 'a' ? 1 : fail(key)) }),
      () => Object.defineProperty({}, 'a', { get: () => fail('a'), enumerable: true }),
      () => Object.create({ a: 1n }),
      () => JSON.parse('{"__proto__":{"a":1}}'),
      () => ({ toJSON: 1 }),
      () => ({ toJSON: () => 1 }),
      () => Object.assign([1], { length: 3 }),
    );
    const foreign = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
    const leaf = fc.oneof(
      foreign,
      hostile.map((make) => make()),
    );
    const inner = fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), leaf));
    const faultsOf = (list: readonly unknown[], depth: number) =>
      jsonFaults(list, 4, depth).filter(({ path }) => path[0] === 0);
    fc.assert(
      fc.property(inner, fc.nat(3), (value, depth) => {
        expect(faultsOf([value], depth)).toEqual(faultsOf([value, many], depth));
      }),
    );
  });

  it('is fast for an object in 2^60 places', () => {
    let value: unknown = { end: Number.NaN };
    for (let level = 0; level < 60; level += 1) value = { left: value, right: value };
    expect(jsonFaults(value, 100)).toHaveLength(1);
  });
});
