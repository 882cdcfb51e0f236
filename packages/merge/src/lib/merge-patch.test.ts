import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from './deep-freeze.fixture.ts';
import { mergePatch } from './merge-patch.ts';
import { listFields, listOrigins } from './origin-queries.ts';
import { type Origins, type Traced, trace } from './origins.ts';

const patched = (target: JsonObject, patch: JsonObject): JsonObject =>
  mergePatch(trace(target, 'target'), trace(patch, 'patch')).value;

describe('mergePatch: the value (M-05, M-06, M-20)', () => {
  /** The examples of RFC 7386, appendix A, with objects as target and patch. */
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('follows RFC 7386: %j patched with %j is %j', (target, patch, expected) => {
    expect(patched(target, patch)).toEqual(expected);
  });

  it('equals a naive implementation of RFC 7386 for any two objects', () => {
    fc.assert(
      fc.property(spec, spec, (target, patch) => {
        expect(patched(target, patch)).toEqual(rfc7386(target, patch));
      }),
    );
  });

  it('keeps the nulls inside lists, which are values', () => {
    expect(patched({}, { a: [null, { b: null }] })).toEqual({ a: [null, { b: null }] });
  });

  it('shares untouched parts', () => {
    const target = { kept: { deep: [1] }, changed: { x: 1 } };
    expect(patched(target, { changed: { x: 2 } }).kept).toBe(target.kept);
  });
});

describe('mergePatch: the origins (M-24)', () => {
  it('records for each field which side set it', () => {
    const merged = mergePatch(
      trace({ timeout: '5s', retry: { attempts: 1, backoff: '1s' } }, 'gateway'),
      trace({ retry: { attempts: 3 } }, 'route'),
    );
    expect(listFields(merged)).toEqual([
      { pointer: '/timeout', by: ['gateway'], removed: false, value: '5s' },
      { pointer: '/retry/attempts', by: ['route'], removed: false, value: 3 },
      { pointer: '/retry/backoff', by: ['gateway'], removed: false, value: '1s' },
    ]);
  });

  it('names who removed a field', () => {
    const merged = mergePatch(trace({ timeout: '5s', retries: 1 }, 'gateway'), trace({ timeout: null }, 'route'));
    expect(listFields(merged)).toEqual([
      { pointer: '/retries', by: ['gateway'], removed: false, value: 1 },
      { pointer: '/timeout', by: ['route'], removed: true },
    ]);
  });

  it('attributes equal values to the patch', () => {
    const merged = mergePatch(trace({ a: 1 }, 'gateway'), trace({ a: 1 }, 'route'));
    expect(merged.origins).toEqual({ by: ['route'] });
  });

  it.each([
    ['an empty patch', { a: 1, b: { c: 2 } }, {}, [{ pointer: '', by: ['target'], removed: false }]],
    ['a patch of all fields', { a: 1 }, { a: 2, b: 3 }, [{ pointer: '', by: ['patch'], removed: false }]],
    [
      'a subtree of one side',
      { a: { x: 1, y: { z: 1 } } },
      { b: 2 },
      [
        { pointer: '/a', by: ['target'], removed: false },
        { pointer: '/b', by: ['patch'], removed: false },
      ],
    ],
  ])('keeps one origin for the largest subtree that it set: %s', (_, target, patch, expected) => {
    const merged = mergePatch(trace<string>(target, 'target'), trace<string>(patch, 'patch'));
    expect(listOrigins(merged.origins)).toEqual(expected);
  });

  it('agrees, field by field, with merging without shared origins, in chains of any order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(spec, fc.boolean()), { minLength: 2, maxLength: 5 }), (links) => {
        let [merged, naive] = startOf(links);
        links.slice(1).forEach(([value, isPatch], index) => {
          const other = trace(value, `policy ${index + 1}`);
          const naiveOther = annotate(value, `policy ${index + 1}`);
          merged = isPatch ? mergePatch(merged, other) : mergePatch(other, merged);
          naive = isPatch ? mergeNodes(naive, naiveOther) : mergeNodes(naiveOther, naive);
        });
        expect(byPointer(listFields(merged))).toEqual(byPointer(fieldsOf(naive)));
        expect(splitThatAgree(merged.origins)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('mergePatch: chains', () => {
  const gateway = trace<string>({ timeout: '5s', retries: 1 }, 'gateway');
  const namespace = trace<string>({ timeout: '9s', retries: 2, burst: 7 }, 'namespace');
  const route = trace<string>({ timeout: null }, 'route');

  it('keeps a removal when the result is merged over a third value', () => {
    const merged = mergePatch(namespace, mergePatch(gateway, route));
    expect(merged.value).toEqual({ retries: 1, burst: 7 });
    expect(listFields(merged)).toContainEqual({ pointer: '/timeout', by: ['route'], removed: true });
  });

  it('keeps a removal even if there was nothing to remove', () => {
    const merged = mergePatch(namespace, mergePatch(trace<string>({}, 'gateway'), route));
    expect(merged.value).toEqual({ retries: 2, burst: 7 });
  });

  it('ends a removal when a later patch sets the field again', () => {
    const merged = mergePatch(mergePatch(gateway, route), namespace);
    expect(merged.value).toEqual({ timeout: '9s', retries: 2, burst: 7 });
    expect(merged.origins).toEqual({ by: ['namespace'] });
  });

  it('ends removals in an object that is replaced as a whole', () => {
    const emptied = mergePatch(
      trace<string>({ retry: { a: 1 } }, 'gateway'),
      trace<string>({ retry: { a: null } }, 'route'),
    );
    const merged = mergePatch(emptied, trace<string>({ retry: 'none' }, 'override'));
    expect(listFields(merged)).toEqual([{ pointer: '/retry', by: ['override'], removed: false, value: 'none' }]);
  });
});

describe('mergePatch: untrusted and unusual inputs', () => {
  it('works on frozen inputs, and leaves others unfrozen and unchanged', () => {
    const target = { a: { b: 1 }, c: [1] };
    const patch = { a: { d: 2 }, c: null };
    const before = structuredClone([target, patch]);
    patched(target, patch);
    expect([target, patch]).toEqual(before);
    for (const part of [target, target.a, target.c, patch, patch.a]) expect(Object.isFrozen(part)).toBe(false);
    expect(patched(deepFreeze(target), deepFreeze(patch))).toEqual({ a: { b: 1, d: 2 } });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('keeps the key %s as data', (key) => {
    const patch = JSON.parse(`{"${key}": {"polluted": true}, "nested": {"${key}": {"polluted": true}}}`);
    const target = JSON.parse(`{"${key}": {"other": 1}, "nested": {}}`);
    const merged = mergePatch(trace(target, 'target'), trace(patch, 'patch'));
    expect(Object.hasOwn(merged.value, key)).toBe(true);
    expect(JSON.stringify(merged.value)).toBe(
      `{"${key}":{"other":1,"polluted":true},"nested":{"${key}":{"polluted":true}}}`,
    );
    expect(Object.getPrototypeOf(merged.value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(listFields(merged)).toContainEqual({ pointer: `/${key}/other`, by: ['target'], removed: false, value: 1 });
  });

  it('removes a __proto__ key by null', () => {
    expect(Object.keys(patched(JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": null}')))).toEqual([]);
  });

  it('refuses patches that nest too deeply, before the call stack runs out', () => {
    const deep = nest(10_000);
    expect(() => patched(deep, deep)).toThrow(expect.objectContaining({ code: 'too-deep' }));
    expect(() => patched({}, deep)).toThrow(expect.objectContaining({ code: 'too-deep' }));
    expect(patched(deep, { x: 1 }).a).toBe(deep.a);
  });

  it('merges maps of 100,000 keys', () => {
    const map = (of: number): JsonObject =>
      Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key-${index * of}`, index]));
    const merged = mergePatch(trace(map(2), 'target'), trace(map(3), 'patch'));
    expect(Object.keys(merged.value)).toHaveLength(166_666);
    expect(listFields(merged)).toHaveLength(166_666);
  });
});

const spec: fc.Arbitrary<JsonObject> = fc.letrec<{ object: JsonObject; value: JsonValue }>((tie) => ({
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, 0, 1, 'x', [], [null], [1, { a: null }]),
    tie('object'),
  ),
})).object;

/** The algorithm of RFC 7386, section 2, taken literally. */
function rfc7386(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const result: Record<string, JsonValue> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = rfc7386(result[name], value);
  }
  return result;
}

/** A spec in which each field, large or small, carries its own origin. */
interface Node {
  readonly by: string;
  readonly removed: boolean;
  readonly value: JsonValue;
  readonly fields: ReadonlyMap<string, Node> | undefined;
}

function annotate(value: JsonValue, by: string): Node {
  const fields = isObject(value)
    ? new Map(Object.entries(value).map(([key, field]) => [key, annotate(field, by)]))
    : undefined;
  return { by, removed: false, value, fields };
}

function mergeNodes(target: Node | undefined, patch: Node): Node {
  if (patch.removed || patch.value === null) return { ...patch, removed: true };
  if (patch.fields === undefined) return patch;
  const fields = new Map(target?.removed ? [] : target?.fields);
  for (const [key, field] of patch.fields) fields.set(key, mergeNodes(fields.get(key), field));
  return { ...patch, fields };
}

function fieldsOf(node: Node, pointer = ''): ReturnType<typeof listFields<string>> {
  if (node.removed) return [{ pointer, by: [node.by], removed: true }];
  if (node.fields === undefined) return [{ pointer, by: [node.by], removed: false, value: node.value }];
  if (node.fields.size === 0) return [{ pointer, by: [node.by], removed: false, value: {} }];
  return [...node.fields].flatMap(([key, field]) => fieldsOf(field, `${pointer}/${key.replace('/', '~1')}`));
}

function startOf(links: readonly (readonly [JsonObject, boolean])[]): [Traced<string>, Node] {
  const [value] = links[0] as (typeof links)[0];
  return [trace(value, 'policy 0'), annotate(value, 'policy 0')];
}

/** Returns the branches that should be leaves, because all their fields have the same origin. */
function splitThatAgree(origins: Origins<string>): readonly Origins<string>[] {
  if ('by' in origins) return [];
  const children = [...origins.fields.values()];
  const kinds = new Set(children.map((child) => ('by' in child && !child.removed ? child.by.join() : child)));
  return [
    ...(kinds.size < 2 && typeof [...kinds][0] !== 'object' ? [origins] : []),
    ...children.flatMap(splitThatAgree),
  ];
}

function byPointer<Item extends { readonly pointer: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => (a.pointer < b.pointer ? -1 : 1));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nest(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}
