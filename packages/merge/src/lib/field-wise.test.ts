import type { JsonObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import table from '../../vectors/replace-table.json' with { type: 'json' };
import { append, appendText, fieldWise, listOrigins, namedRules, patch, shallow, trace } from '../index.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';

type Strategy = ReturnType<typeof fieldWise>;

/** Merges what a less specific policy says with what lies below it, from frozen inputs. */
function merge(strategy: Strategy, stanza: 'defaults' | 'overrides', established: JsonObject, challenger: JsonObject) {
  return strategy[stanza](trace(deepFreeze(established), 'established'), trace(deepFreeze(challenger), 'challenger'));
}

describe("fieldWise on seed 000's table of types (M-16, M-17)", () => {
  const strategies: Record<string, Strategy> = {
    string: patch,
    list: patch,
    'map[string]string': fieldWise({ at: { '/key': 'replace' } }),
    'map[string]string (distinguishing, derived)': fieldWise({ at: { '/key': 'replace' } }),
    listMapType: fieldWise({ at: { '/listMaps': { keys: ['name'] } } }),
  };

  it.each(table.map((row) => [row.type, row] as const))('%s', (type, row) => {
    const result = merge(
      strategies[type] as Strategy,
      'overrides',
      row.override as JsonObject,
      row.object as JsonObject,
    );
    expect(result.value).toEqual(row.expect);
    if ('rfc7386' in row) {
      expect(merge(patch, 'overrides', row.override as JsonObject, row.object as JsonObject).value).toEqual(
        row.rfc7386,
      );
    }
  });
});

describe('fieldWise', () => {
  it('replaces values below its depth as wholes (K-17)', () => {
    const established = { a: { b: { c: 1, d: 1 }, e: 1 }, f: 1 };
    const challenger = { a: { b: { c: 2 } } };
    const byDepth = [1, 2, 3].map((depth) => merge(fieldWise({ depth }), 'defaults', established, challenger).value);
    expect(byDepth).toEqual([
      { a: { b: { c: 2 } }, f: 1 },
      { a: { b: { c: 2 }, e: 1 }, f: 1 },
      { a: { b: { c: 2, d: 1 }, e: 1 }, f: 1 },
    ]);
  });

  it('treats null as a value, unless null removes (M-20)', () => {
    expect(merge(fieldWise(), 'defaults', { a: 1 }, { a: null }).value).toEqual({ a: null });
    expect(merge(fieldWise({ nullRemoves: true }), 'defaults', { a: 1 }, { a: null }).value).toEqual({});
  });

  it('merges lists item by item, with the origins in each item', () => {
    const strategy = fieldWise({ at: { '/rules': { keys: ['name', 'port'] } } });
    const { value, origins } = merge(
      strategy,
      'defaults',
      {
        rules: [
          { name: 'a', port: 1, weight: 1, to: 'x' },
          { name: 'b', port: 1 },
        ],
      },
      {
        rules: [
          { name: 'c', port: 1 },
          { name: 'a', port: 1, weight: 9 },
        ],
      },
    );
    expect(value).toEqual({
      rules: [
        { name: 'c', port: 1 },
        { name: 'a', port: 1, weight: 9, to: 'x' },
        { name: 'b', port: 1 },
      ],
    });
    expect(listOrigins(origins).map(({ pointer, by }) => `${pointer} ${by.join()}`)).toEqual([
      '/rules/0 challenger',
      '/rules/1/name challenger',
      '/rules/1/port challenger',
      '/rules/1/weight challenger',
      '/rules/1/to established',
      '/rules/2 established',
    ]);
  });

  it.each([
    ['an item is not an object', { rules: [1] }],
    ['a key comes twice', { rules: [{ name: 'a' }, { name: 'a' }] }],
    ['it is no list', { rules: { name: 'a' } }],
  ])('replaces a list by key where %s', (_case, challenger) => {
    const strategy = fieldWise({ at: { '/rules': { keys: ['name'] } } });
    expect(merge(strategy, 'defaults', { rules: [{ name: 'b' }] }, challenger as JsonObject).value).toEqual(challenger);
  });

  it('joins lists and texts from both, the prevailing one first (G-07)', () => {
    const strategy = fieldWise({ depth: 1, at: { '/headers/*': appendText(), '/list': append } });
    const specs = [
      { headers: { season: 'summer' }, list: [1] },
      { headers: { season: 'winter', holiday: 'christmas' }, list: [2] },
    ] as const;
    expect(merge(strategy, 'overrides', ...specs).value).toEqual({
      headers: { season: 'summer,winter', holiday: 'christmas' },
      list: [1, 2],
    });
    expect(merge(strategy, 'defaults', ...specs).value).toEqual({
      headers: { season: 'winter,summer', holiday: 'christmas' },
      list: [2, 1],
    });
    expect(listOrigins(merge(strategy, 'overrides', ...specs).origins).map(({ pointer, by }) => [pointer, by])).toEqual(
      [
        ['/headers/season', ['established', 'challenger']],
        ['/headers/holiday', ['challenger']],
        ['/list', ['established', 'challenger']],
      ],
    );
  });

  it('replaces values of different types', () => {
    const strategy = fieldWise({ at: { '/a': append } });
    expect(merge(strategy, 'overrides', { a: 'text' }, { a: [1] }).value).toEqual({ a: 'text' });
  });

  it('refuses a depth that merges nothing, lists without keys, and paths that are not JSON Pointers', () => {
    expect(() => fieldWise({ depth: 0 })).toThrow(expect.objectContaining({ code: 'invalid-strategy' }));
    expect(() => fieldWise({ at: { '/zones': { keys: [] } } })).toThrow(
      expect.objectContaining({
        code: 'invalid-strategy',
        message: expect.stringMatching(/^The list at \/zones needs keys/),
      }),
    );
    expect(() => fieldWise({ at: { labels: 'replace' } })).toThrow(TypeError);
  });

  it('with null that removes is the same as patch', () => {
    const spec = fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(spec, spec, fc.constantFrom('defaults', 'overrides'), (a, b, stanza) => {
        const [established, challenger] = [a as JsonObject, b as JsonObject];
        const own = merge(fieldWise({ nullRemoves: true }), stanza, established, challenger);
        expect(own).toEqual(merge(patch, stanza, established, challenger));
      }),
    );
  });

  it('keeps prototype keys as data and leaves prototypes alone', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as JsonObject;
    const { value } = merge(fieldWise(), 'overrides', hostile, { a: 1 });
    expect(Object.keys(value).sort()).toEqual(['__proto__', 'a', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('fieldWise: paths with stars', () => {
  it('match in addition to other paths of the same object, and yield to a longer literal path', () => {
    const strategy = fieldWise({
      depth: 1,
      at: { '/*/x': 'merge', '/p/y': 'merge', '/p/z': 'replace', '/*/z': 'merge' },
    });
    const [established, challenger] = [{ up: 1 }, { low: 1 }];
    const all = (value: JsonObject) => ({ p: { x: value, y: value, z: value }, q: { x: value, y: value, z: value } });
    const both = { up: 1, low: 1 };
    expect(merge(strategy, 'defaults', all(established), all(challenger)).value).toEqual({
      p: { x: both, y: both, z: challenger },
      q: { x: both, y: challenger, z: both },
    });
  });
});

describe('fieldWise: null in items of lists that are merged by key (M-17, M-20)', () => {
  const strategy = fieldWise({ at: { '/list': { keys: ['name'] } }, nullRemoves: true });
  const removing = { list: [{ name: 'a', size: null }] };

  it.each<[string, JsonObject, JsonObject]>([
    ['an item of that key', { list: [{ name: 'a', size: 1 }] }, { list: [{ name: 'a' }] }],
    ['another item', { list: [{ name: 'b' }] }, { list: [{ name: 'a' }, { name: 'b' }] }],
    ['no list', {}, { list: [{ name: 'a' }] }],
    ['a list without keys', { list: ['b'] }, { list: [{ name: 'a' }] }],
  ])('removes the field, whether it meets one or not: %s', (_, established, expected) => {
    expect(merge(strategy, 'defaults', established, removing).value).toEqual(expected);
  });

  it('stays a removal, as it does in objects', () => {
    const alone = strategy.withRemovals?.(trace<string>(removing, 'low'));
    expect(alone?.value).toEqual({ list: [{ name: 'a' }] });
    const above = trace<string>({ list: [{ name: 'a', size: 1 }] }, 'high');
    expect(strategy.defaults(above, alone ?? above).value).toEqual({ list: [{ name: 'a' }] });
  });
});

describe('namedRules', () => {
  it('merges rules by name, each as a whole (K-05)', () => {
    const established = { limits: { a: { rate: 1, per: 'second' }, b: { rate: 1 } }, when: 1 };
    const challenger = { limits: { a: { rate: 2 } } };
    expect(merge(namedRules('/limits'), 'defaults', established, challenger).value).toEqual({
      limits: { a: { rate: 2 }, b: { rate: 1 } },
      when: 1,
    });
  });

  it('takes items of a keyed list as wholes, if the rule for items says so', () => {
    const rules = fieldWise({ depth: 1, at: { '/rules': { keys: ['name'] }, '/rules/*': 'replace' } });
    const established = {
      rules: [
        { name: 'a', limit: 1, per: 'second' },
        { name: 'b', limit: 1 },
      ],
    };
    const { value, origins } = merge(rules, 'defaults', established, { rules: [{ name: 'a', limit: 2 }] });
    expect(value).toEqual({
      rules: [
        { name: 'a', limit: 2 },
        { name: 'b', limit: 1 },
      ],
    });
    expect(listOrigins(origins).map(({ pointer }) => pointer)).toEqual(['/rules/0', '/rules/1']);
    expect(rules.unitAt?.(['rules', '0', 'limit'])).toBe(2);
    const merged = fieldWise({ depth: 1, at: { '/rules': { keys: ['name'] } } });
    expect(merge(merged, 'defaults', established, { rules: [{ name: 'a', limit: 2 }] }).value).toEqual({
      rules: [
        { name: 'a', limit: 2, per: 'second' },
        { name: 'b', limit: 1 },
      ],
    });
  });

  it('finds rules in every section of a field', () => {
    const established = { rules: { authentication: { a: { G: 1 } }, authorization: { b: { G: 1 } } } };
    const challenger = { rules: { authentication: { a: { R: 1 } } } };
    expect(merge(namedRules('/rules/*'), 'overrides', established, challenger).value).toEqual(established);
    expect(merge(namedRules('/rules/*'), 'defaults', established, challenger).value).toEqual({
      rules: { authentication: { a: { R: 1 } }, authorization: { b: { G: 1 } } },
    });
  });
});

describe('shallow', () => {
  it('merges the top-level fields, each as a whole (G-07)', () => {
    const established = { transformation: { parent: 1 }, rateLimit: { parent: 1 } };
    const challenger = { transformation: { child: 1 } };
    expect(merge(shallow, 'defaults', established, challenger).value).toEqual({
      transformation: { child: 1 },
      rateLimit: { parent: 1 },
    });
    expect(merge(shallow, 'overrides', established, challenger).value).toEqual(established);
  });
});
